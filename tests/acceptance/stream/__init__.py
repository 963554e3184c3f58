"""The stream process and its clients are killed while matches run. Every client still gets each event exactly once."""
