"""The MCP door: the verbs as tools, resources and prompts for any agent that speaks the protocol."""

from pydantic import BaseModel

# The SDK describes every message of two protocol eras. Built when first needed, most of them never are, and the list
# of tools is there a seventh sooner.
BaseModel.model_config["defer_build"] = True
try:
    import mcp.server.lowlevel.server  # noqa: F401
finally:
    del BaseModel.model_config["defer_build"]
