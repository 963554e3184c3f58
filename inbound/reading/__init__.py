"""Find out what the author of a reply wants, from the lines that inbound.parsing found."""
