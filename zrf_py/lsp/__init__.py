"""The language server: what editors ask in their protocol, answered by the services of `author/editor`."""
