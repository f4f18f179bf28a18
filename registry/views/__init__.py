"""Pages about the parties."""
