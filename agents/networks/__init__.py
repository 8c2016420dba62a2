"""Trained networks as agents: small files that play without the library that trained them."""
