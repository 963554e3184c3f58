"""Results as people see them: in color, plain, or in sentences for a screen reader. Nothing here asks a server."""
