"""Texts that become files of other programs: a plugin for OpenCode and Kilo, and a section for instruction files."""

from __future__ import annotations

#: It never throws: an exception in a plugin ends the agent's run.
OPENCODE_PLUGIN = """\
// Written by `mem install {agent}`; `mem install {agent} --remove` removes it.
import { execFile } from "node:child_process"

const ask = (event, payload) =>
  new Promise((done) => {
    try {
      const options = { timeout: 5000, env: { ...process.env, ...{env_json} } }
      const child = execFile({mem_json}, ["hook", "{agent}", event], options, (error, out) => done(error ? "" : out))
      child.stdin.on("error", () => {})
      child.stdin.end(JSON.stringify(payload))
    } catch {
      done("")
    }
  })

const server = async (context) => ({
  "chat.message": async (_input, output) => {
    try {
      const message = output.message
      const cwd = context.directory
      const text = await ask("prompt", { session_id: message.sessionID, cwd, parts: output.parts })
      if (text) {
        const place = { id: "prt_memory" + Date.now(), sessionID: message.sessionID, messageID: message.id }
        output.parts.push({ ...place, type: "text", text, synthetic: true })
      }
    } catch {}
  },
  "tool.execute.after": async (input, output) => {
    try {
      const payload = { session_id: input.sessionID, cwd: context.directory, tool: input.tool, args: input.args }
      const text = await ask("after-tool", { ...payload, metadata: output.metadata, output: output.output })
      if (text && typeof output.output === "string") output.output += "\\n\\n" + text
    } catch {}
  },
  event: async ({ event }) => {
    try {
      const session_id = event.properties?.sessionID
      if (event.type === "session.idle") await ask("stop", { session_id, cwd: context.directory })
    } catch {}
  },
})

export default { id: "memory-layer", server, setup: async () => {} }
"""

#: For agents that read instructions but run no hooks.
INSTRUCTIONS = """\
This project has a memory. Call `memory_context` before you start, and `memory_recall` when an error looks familiar.
Store what will still matter next week with `memory_learn`, and report with `memory_outcome` whether a memory worked.
"""
