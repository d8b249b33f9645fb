"""The server on the protocol's SDK; nothing outside this folder loads the SDK."""

from pydantic import BaseModel

# The SDK describes every message of two protocol eras. Built when first needed, most of them never are, and loading
# it takes a seventh less.
BaseModel.model_config["defer_build"] = True
try:
    import mcp.server.lowlevel.server  # noqa: F401
finally:
    del BaseModel.model_config["defer_build"]
