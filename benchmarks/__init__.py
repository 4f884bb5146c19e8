"""Benchmarks. Their figures and how to reproduce them are in docs/performance.md."""
