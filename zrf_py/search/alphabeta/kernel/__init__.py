"""Native alpha-beta."""
