"""The sample bots."""
