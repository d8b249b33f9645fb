"""The HTTP server that REST and MCP share: authorisation, limits and the process."""
