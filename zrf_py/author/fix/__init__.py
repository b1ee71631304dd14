"""What messages say to type, typed, where that is certain."""
