"""Pages about who may conduct bingo for whom."""
