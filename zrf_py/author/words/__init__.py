"""The rules of a game in words and pictures, made from its program."""
