"""Events of agents: `mem hook AGENT EVENT` reads one as JSON and answers in that agent's own form."""
