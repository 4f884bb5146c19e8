"""The arena: schedules, launches bots, plays matches and nights; the command line."""
