"""Explanations of all lint codes: meaning, a wrong and a right example. `zrf explain CODE` prints them."""

from pathlib import Path

from zrf_py.text.codes import explanations

LINTS = explanations(Path(__file__).with_name("codes.json"))
