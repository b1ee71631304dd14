"""Tools for language models: what the commands do, by the Model Context Protocol, with limits of time and size."""
