"""The pages of licensing, one room a file."""
