"""Benchmarks of speed, and compilation ahead of use."""
