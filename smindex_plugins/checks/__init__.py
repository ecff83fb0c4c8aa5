"""All that can be wrong: one small function a rule, each with its level and its meaning."""
