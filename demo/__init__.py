"""`make demo`: a show of the real thing. Three players and two matches from the first card to the checked proof."""
