"""The paragraphs of the rulebook, one module each. A phase holds no state: the hand holds it all."""
