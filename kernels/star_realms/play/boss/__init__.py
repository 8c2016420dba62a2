"""The automated opponents: Bosses of the challenges, and the Blob of the campaign's last scenario."""
