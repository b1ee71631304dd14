"""Services for editors about a text being edited: problems, names, explanations, completions; for any protocol."""
