"""One root index over several builds, on this machine or in object storage."""
