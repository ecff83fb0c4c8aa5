"""Writes one root index for several builds, on this machine or in object storage."""
