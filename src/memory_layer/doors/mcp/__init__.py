"""The MCP door: the verbs as tools, resources and prompts for any agent that speaks the protocol.

Only the folder `sdk` loads the protocol's SDK, which takes longer than everything else that a start needs.
"""
