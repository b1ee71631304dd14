"""Text being edited -> services for editors: problems, names, explanations, completions. Independent of protocols."""
