"""Kernel code for many games at once: each game is loaded from its slot, advanced by one leg and stored again."""
