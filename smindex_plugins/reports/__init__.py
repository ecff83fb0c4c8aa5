"""What people and machines read of a run: its findings as text, JSON, annotations and SARIF."""
