"""What parts of the report have played, chunk by chunk in their folders."""
