"""Pages of results: folders that the server shows, and what each kind of result holds."""
