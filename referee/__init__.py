"""The referee: the rules of the Euchre family, and the service that deals and enforces them."""
