"""Services for editors, independent of any protocol: problems, names, explanations and completions of a text."""
