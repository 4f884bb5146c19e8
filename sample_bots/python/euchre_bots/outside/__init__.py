"""Bots that others wrote, as entrants: adapters, each of which needs the package it adapts (extra ``outside``)."""
