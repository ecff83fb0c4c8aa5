"""What a build decided about each page, kept beside the project so that other commands need not
work it out again.
"""
