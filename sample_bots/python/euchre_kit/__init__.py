"""The kit a Euchre bot is written with."""
