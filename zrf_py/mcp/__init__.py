"""Tools for language models: commands of `zrf`, by the Model Context Protocol, with limits of time and size."""
