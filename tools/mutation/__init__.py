"""A mutation check of ``referee/rules``: is every line of the rules pinned by a test? See docs/testing.md."""
