"""The leaderboards: stored results, and ratings that can be trusted."""
