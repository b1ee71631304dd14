"""Services for authors of rules files: plain typed functions with values as results; commands and editors show them."""
