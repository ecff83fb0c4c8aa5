"""What everything may use: data types, options, kinds of findings, URLs, dates, text, files, and
the rules of hosts.
"""
