"""Kernel code of many games at once: each stands in a slot of memory, is loaded, goes one leg on and is kept again."""
