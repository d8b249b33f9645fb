// The conformance suite has no option for a token, so every request that leaves this process shows it.
import { subscribe } from "node:diagnostics_channel";

const shown = `Bearer ${process.env.MCP_TOKEN}`;

subscribe("undici:request:create", ({ request }) => request.addHeader("authorization", shown));
subscribe("http.client.request.created", ({ request }) => request.setHeader("authorization", shown));
