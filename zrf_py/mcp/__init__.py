"""Tools for language models: `zrf` commands over the Model Context Protocol, with limits on time and size."""
