"""The MCP door: the same use cases as tools, resources and prompts for any agent that speaks the protocol."""
