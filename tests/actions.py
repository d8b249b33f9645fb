"""What agents are about to do, and which warning of a small store each deserves, if any; written for these tests."""

from __future__ import annotations

from memory_layer.model.context import AgentAction
from memory_layer.model.vocabulary import Category

_G, _P, _W, _T = Category.GOTCHA, Category.PITFALL, Category.WARNING, Category.TROUBLESHOOTING

#: A short name, its category, what it says, and the paths it applies to.
KNOWN: dict[str, tuple[Category, str, tuple[str, ...]]] = {
    "force": (
        _P,
        "`git push --force` on main wiped a release tag; use --force-with-lease on branches only",
        (),
    ),
    "rebase": (_G, "git rebase onto develop loses the generated lockfile, run `make lock` after it", ()),
    "wipe": (_W, "Running `npm test` without NODE_ENV=test empties the development database", ()),
    "apply": (_P, "terraform apply locks the shared state; run plan first and post it in the channel", ()),
    "pytest": (_G, "pytest hangs forever when the Docker daemon is not running", ()),
    "prune": (_W, "docker system prune also deletes the seeded database volume", ()),
    "migrate": (
        _P,
        "alembic upgrade head must not run while the worker is up, it deadlocks on the jobs table",
        (),
    ),
    "core": (
        _W,
        "Changes here need the full test run, the quick one skips the property tests",
        ("src/core/**",),
    ),
    "generated": (
        _G,
        "These files are generated from the schema; edit schema/api.yaml instead",
        ("src/api/gen/",),
    ),
    "config": (
        _G,
        "config/limits.toml is read at import time, so a change needs a restart of all workers",
        (),
    ),
    "refused": (
        _T,
        "ECONNREFUSED 127.0.0.1:5432 means the postgres container stopped; docker compose up -d db",
        (),
    ),
    "eaddr": (_T, "EADDRINUSE on port 3000: an old vite server is still alive, kill it with fkill :3000", ()),
    "locked": (
        _T,
        "sqlite3.OperationalError database is locked: the backup job holds a read transaction",
        (),
    ),
    "peer": (_T, "npm ERR ERESOLVE could not resolve: react 19 needs the legacy peer deps switch", ()),
    "clock": (_T, "Token not yet valid comes from clock drift in the virtual machine; restart chrony", ()),
    "heap": (_T, "JavaScript heap out of memory in the bundle step: raise max-old-space-size to 8192", ()),
    "import": (
        _T,
        "ModuleNotFoundError for shop.billing means the editable install is stale; pip install -e .",
        (),
    ),
    "nplus": (
        _P,
        "Listing orders without select_related makes one query per row and times out in production",
        (),
    ),
    "scale": (_W, "kubectl scale on the ingest deployment drops messages that are in flight", ()),
    "cargo": (
        _G,
        "cargo clean throws away forty minutes of build; delete only target/debug/deps of the crate",
        (),
    ),
    "seed": (_P, "make seed overwrites local users, back them up with scripts/dump_users.sh", ()),
    "helmfile": (
        _W,
        "`helm upgrade --install` on the staging cluster needs --atomic or a half release stays",
        (),
    ),
}

_C, _F, _E = "command", "path", "error"

#: What is done, and the warning that should be heard; None where silence is right. Every second one was set aside
#: until the rules were done.
ACTIONS: list[tuple[str, str, str | None]] = [
    (_C, "git push --force origin main", "force"),
    (_C, "git push origin feature/upload", None),
    (_C, "git push -u origin HEAD", None),
    (_C, "cd services/shop && git push --force", "force"),
    (_C, "git rebase develop", "rebase"),
    (_C, "git rebase --continue", "rebase"),
    (_C, "git status --short", None),
    (_C, "git log --oneline -5", None),
    (_C, "npm test", "wipe"),
    (_C, "npm test -- --watch src/cart", "wipe"),
    (_C, "npm run build", None),
    (_C, "npm install left-pad", None),
    (_C, "terraform apply -auto-approve", "apply"),
    (_C, "terraform -chdir=infra apply", "apply"),
    (_C, "ls -la infra", None),
    (_C, "cat README.md | head -20", None),
    (_C, "pytest -x tests/cart", "pytest"),
    (_C, "python -m pytest tests/test_upload.py::test_parts", "pytest"),
    (_C, "uv run pytest -q", "pytest"),
    (_C, "python scripts/report.py --month 5", None),
    (_C, "docker system prune -af", "prune"),
    (_C, "docker compose up -d db", None),
    (_C, "docker ps", None),
    (_C, "docker build -t shop .", None),
    (_C, "alembic upgrade head", "migrate"),
    (_C, "poetry run alembic upgrade head", "migrate"),
    (_C, "kubectl get pods -n ingest", None),
    (_C, "kubectl scale deployment/ingest --replicas=2", "scale"),
    (_C, "kubectl -n prod logs ingest-0", None),
    (_C, "cargo clean && cargo build", "cargo"),
    (_C, "cargo build --release", None),
    (_C, "cargo test -p parser", None),
    (_C, "make seed", "seed"),
    (_C, "make test", None),
    (_C, "make -j4 lint", None),
    (_C, "helm upgrade --install shop ./chart", "helmfile"),
    (_C, "helm list -A", None),
    (_C, "echo done", None),
    (_C, "rg 'select_related' src", None),
    (_C, "sudo docker system prune", "prune"),
    (_C, "NODE_ENV=test npm test", "wipe"),
    (_C, "sed -i 's/a/b/' src/core/engine.py", "core"),
    (_C, "mkdir -p docs/img", None),
    (_C, "curl -s localhost:3000/health", None),
    (_F, "src/core/engine.py", "core"),
    (_F, "src/core/io/read.py", "core"),
    (_F, "src/api/gen/client.ts", "generated"),
    (_F, "src/api/client.ts", None),
    (_F, "config/limits.toml", "config"),
    (_F, "config/routes.toml", None),
    (_F, "README.md", None),
    (_F, "src/shop/cart.py", None),
    (_F, "schema/api.yaml", None),
    (_F, "tests/test_cart.py", None),
    (
        _E,
        "Error: connect ECONNREFUSED 127.0.0.1:5432\n    at TCPConnectWrap.afterConnect [as oncomplete]",
        "refused",
    ),
    (_E, "psycopg.OperationalError: connection refused, is the server running on port 5432?", "refused"),
    (_E, "Error: listen EADDRINUSE: address already in use :::3000", "eaddr"),
    (_E, "Port 8080 is in use by another program", None),
    (_E, "sqlite3.OperationalError: database is locked", "locked"),
    (_E, "sqlite3.OperationalError: no such table: orders", None),
    (_E, "npm ERR! code ERESOLVE\nnpm ERR! ERESOLVE could not resolve\nnpm ERR! peer react@18", "peer"),
    (_E, "npm ERR! code ENOENT\nnpm ERR! syscall open package.json", None),
    (_E, "jwt.exceptions.ImmatureSignatureError: The token is not yet valid (iat)", "clock"),
    (_E, "jwt.exceptions.ExpiredSignatureError: Signature has expired", None),
    (_E, "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory", "heap"),
    (_E, "MemoryError: Unable to allocate 3.2 GiB for an array", None),
    (_E, "ModuleNotFoundError: No module named 'shop.billing'", "import"),
    (_E, "ModuleNotFoundError: No module named 'yaml'", None),
    (_E, "AssertionError: expected 3 items in the cart, got 2", None),
    (_E, "TypeError: Cannot read properties of undefined (reading 'map')", None),
    (_E, "E   KeyError: 'total'\n\ntests/test_orders.py:41: KeyError", None),
    (_E, "error[E0382]: borrow of moved value: `config`", None),
    (_E, "fatal: not a git repository (or any of the parent directories): .git", None),
    (_E, "bash: fkill: command not found", None),
    (_E, "TimeoutError: order list took more than 30 s in production, 4,012 queries", "nplus"),
    (_E, "ruff: 3 errors found, 2 fixable with --fix", None),
]


def action_of(kind: str, text: str) -> AgentAction:
    return AgentAction(**{kind: text})
