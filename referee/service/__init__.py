"""The referee as a service: tables, seats, clocks, faults, the game record, and the wire."""
