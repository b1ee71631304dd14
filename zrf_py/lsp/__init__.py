"""The language server: requests of the protocol, answered by the services of `author/editor`."""
