"""Present results to people: in color, as plain text, or as sentences for a screen reader. Nothing here contacts the
server."""
