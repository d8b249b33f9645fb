"""The generated parts of the page about MCP: its tools, arguments, resources, prompts and conformance."""

from __future__ import annotations

import json
from typing import Any

from memory_layer.doors.mcp import arguments, resources
from memory_layer.doors.mcp.more_tools import FULL
from memory_layer.doors.mcp.tool import Tool, listing
from memory_layer.doors.mcp.tools import CORE
from memory_layer.text.tokens import estimate
from npm.packages import packages
from tests.conformance.scenarios import SCENARIOS, Scenario, Verdict, counts


def figures() -> str:
    """List the sets of tools with their size in characters and tokens."""
    rows = [
        f"| `--tools {name}` | {len(tools)} | {len(_written(tools)):,} | {estimate(_written(tools)):,} |"
        for name, tools in (("core", CORE), ("full", FULL))
    ]
    return "\n".join(["| set | tools | characters | tokens |", "|---|---|---|---|", *rows])


def _written(tools: tuple[Tool, ...]) -> str:
    # Metadata is for the client's program, not for the model.
    shapes = [listing(tool._replace(at_once=False)) for tool in tools]
    return json.dumps({"tools": shapes}, separators=(",", ":"), ensure_ascii=False)


def sections() -> str:
    """Write a section for each tool: description, arguments and answer."""
    return "\n\n".join(_section(tool) for tool in FULL)


def _section(tool: Tool) -> str:
    schema = arguments.schema(tool.all_arguments, tool.verbs)
    rows = [
        f"| `{name}` | {_type(field)} | {_default(name, field, schema)} | {field.get('description', '')} |"
        for name, field in schema["properties"].items()
    ]
    changes = "" if tool.writes else "; read-only"
    return "\n".join(
        [
            f"### {tool.name}",
            "",
            tool.description,
            "",
            "| argument | type | default | |",
            "|---|---|---|---|",
            *rows,
            "",
            f"Answers {', '.join(f'`{name}`' for name in tool.answer['properties'])}{changes}.",
        ]
    )


def _type(field: dict[str, Any]) -> str:
    if "enum" in field:
        return ", ".join(f"`{word}`" for word in field["enum"])
    if field.get("type") == "array":
        return f"list of: {_type(field.get('items', {'type': 'string'}))}"
    kind = str(field.get("type", "string"))
    return f"{kind}, at most {field['maximum']:,}" if "maximum" in field else kind


def _default(name: str, field: dict[str, Any], schema: dict[str, Any]) -> str:
    if name in schema.get("required", ()):
        return "required"
    return f"`{json.dumps(field['default'])}`" if "default" in field else ""


def resource_table() -> str:
    rows = [
        f"| `{each.uri}` | {each.description} | {f'`{each.tool}`' if each.tool else ''} |"
        for each in resources.RESOURCES
    ]
    return "\n".join(["| address | content | same as |", "|---|---|---|", *rows])


def prompt_table() -> str:
    rows = [
        f"| `{each.name}` | {', '.join(f'`{name}`' for name, _, _ in each.arguments)} | {each.description} |"
        for each in resources.PROMPTS
    ]
    return "\n".join(["| prompt | arguments | does |", "|---|---|---|", *rows])


def conformance() -> str:
    """Count the scenarios of the conformance suite that pass, and say why the others do not."""
    version = packages("mcp").versions()["@modelcontextprotocol/conformance"]
    runs = sum(len(each.revisions) for each in SCENARIOS.values())
    heads = " | ".join(Verdict)
    return "\n".join(
        [
            f"Suite {version}: {len(SCENARIOS)} server scenarios, {runs} runs in the revisions they belong to.",
            "",
            f"| server | {heads} |",
            "|---|---|---|---|",
            f"| `mem mcp --http` | {_counted('product')} |",
            f"| the same code with the suite's own names | {_counted('fixtures')} |",
            "",
            "| scenarios | `mem mcp --http` | with the suite's names | why |",
            "|---|---|---|---|",
            *(_row(names, each) for each, names in _by_result().items()),
        ]
    )


def _counted(server: str) -> str:
    return " | ".join(str(number) for number in counts(server).values())


def _by_result() -> dict[Scenario, list[str]]:
    """Group the scenarios by result and reason."""
    found: dict[Scenario, list[str]] = {}
    for name, each in SCENARIOS.items():
        found.setdefault(each._replace(revisions=()), []).append(f"`{name}`")
    return found


def _row(names: list[str], each: Scenario) -> str:
    return f"| {', '.join(names)} | {each.product} | {each.fixtures} | {each.why} |"
