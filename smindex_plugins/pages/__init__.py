"""Decides which pages are listed, with which date, images and language variants."""
