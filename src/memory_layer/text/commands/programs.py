"""Word lists about programs of the command line: which run others, which take values, which only read."""

from __future__ import annotations

#: Programs that run another one named behind them, and words of a shell script.
RUNNERS = frozenset(
    "sudo doas fvm xcrun env time nice nohup exec xargs npx bunx pnpx uvx command watch timeout if then else elif"
    " while until do !".split()
)
#: Programs that run another one behind one of these words.
RUN_WORDS: dict[str, frozenset[str]] = {
    **dict.fromkeys(
        "uv poetry pipenv hatch rye pdm coverage pipx conda mamba micromamba".split(),
        frozenset({"run", "-m"}),
    ),
    **dict.fromkeys("python python3 py".split(), frozenset({"-m"})),
    **dict.fromkeys("pnpm yarn npm bun bundle mise direnv nix".split(), frozenset({"exec", "dlx", "x"})),
}
#: Programs that run a script or a tool of the project if the next word is none of their own.
SCRIPT_RUNNERS: dict[str, frozenset[str]] = dict.fromkeys(
    "pnpm yarn bun".split(),
    frozenset(
        "add install i remove rm update up upgrade run test start publish link unlink init create config why list ls"
        " outdated audit exec dlx x pack store prune import rebuild patch deploy fetch set cache workspace workspaces"
        " node info view dedupe self-update setup env login logout version global build".split()
    ),
)
#: Programs that run another one in a container or on another machine.
CONTAINERS: dict[str, frozenset[str]] = {
    **dict.fromkeys("docker podman".split(), frozenset({"exec"})),
    **dict.fromkeys("docker-compose podman-compose".split(), frozenset({"exec", "run"})),
    **dict.fromkeys("kubectl oc".split(), frozenset({"exec"})),
    "ssh": frozenset({""}),
}
#: Options whose next word is their value, whatever the program.
VALUED = frozenset(
    "-C -c -f -n -p -i -l -o -w -h -u -U -H -R -m -e -t --prefix --context --namespace --file --project --package"
    " --profile --region --directory --message --env --user --host --port --config --filter --workspace --replicas"
    " --tag --set --values --selector --timeout --output --project-name --manifest-path --cwd --dir --python --with"
    " --kubeconfig --cluster --db --database --username --branch --target --image --env-file --secret-id".split()
)
#: Options that never take a value although their letter does elsewhere.
SWITCHES: dict[str, frozenset[str]] = {
    "git": frozenset("-f -n -u -p -i -t".split()),
    "rm": frozenset("-f -i".split()),
    "cp": frozenset("-f -n -u -p -i".split()),
    "sed": frozenset("-n -i".split()),
    "grep": frozenset("-n -i -l -w -h -c -o".split()),
    "rg": frozenset("-n -i -l -w -c -o -p".split()),
    "docker": frozenset("-i -t".split()),
    "sops": frozenset("-i -e".split()),
    "go": frozenset("-u -n -i -c -f".split()),
    "vitest": frozenset({"-u"}),
    "jest": frozenset("-u -i -o".split()),
}
#: Programs with options of several letters behind one dash.
ONE_DASH = frozenset(
    "go terraform tofu java find ffmpeg terragrunt packer consul vault nomad openssl".split()
)
#: Spellings of one option that are not simply the first letter of its name.
SPELLINGS: dict[tuple[str, str], str] = {
    ("git", "-n"): "--no-verify",
    ("git", "-f"): "--force",
    ("rm", "-f"): "--force",
    ("pip", "-U"): "--upgrade",
    ("uv", "-U"): "--upgrade",
    ("git", "-D"): "--delete --force",
    ("git", "-B"): "--force",
    ("git", "-C"): "--force",
    ("npm", "-D"): "--save-dev",
    ("npm", "-g"): "--global",
    ("pnpm", "-g"): "--global",
    ("make", "-B"): "--always-make",
    ("rm", "-R"): "--recursive",
    ("grep", "-R"): "-r --recursive",
    ("docker", "-it"): "--interactive --tty",
}
#: Flags with which a command only tells what it would do.
HARMLESS_FLAGS = frozenset(
    "--dry-run --help --version --check --whatif --dryrun --diff --list --show-only -readonly"
    " --readonly --read-only".split()
)
#: Programs that only read.
READERS = frozenset(
    "cd ls ll cat echo printf grep egrep rg ag fd head tail less more wc jq yq sort uniq cut tr awk stat du df which"
    " type pwd tree file diff cmp printenv env date whoami id ps top htop history man true false test sleep export"
    " source stern uptime hostname basename dirname realpath xxd od column md5sum sha256sum bat".split()
)
#: Subcommands that only read, of programs that can do more.
READING: dict[str, frozenset[str]] = {
    "git": frozenset(
        "status log diff show blame remote ls-files ls-tree rev-parse describe shortlog fetch grep reflog bisect"
        " cat-file whatchanged".split()
    ),
    "kubectl": frozenset(
        "get describe logs top explain api-resources diff version cluster-info wait events".split()
    ),
    "docker": frozenset("ps logs images inspect top stats version info history port df ls config".split()),
    "helm": frozenset("list ls status history get show template lint search diff".split()),
    "terraform": frozenset("plan show output validate fmt version providers graph console".split()),
    "gh": frozenset("view list status checks diff watch".split()),
    "npm": frozenset("ls list view outdated audit why explain".split()),
    "pnpm": frozenset("ls list view outdated audit why".split()),
    "pip": frozenset("list show freeze check".split()),
    "uv": frozenset("tree version".split()),
    "cargo": frozenset("tree metadata check clippy search".split()),
    "go": frozenset("list env vet version doc".split()),
    "alembic": frozenset("history current heads show branches check".split()),
    "systemctl": frozenset("status is-active list-units show cat".split()),
    "aws": frozenset("ls describe list get".split()),
    "redis-cli": frozenset(
        "get llen keys info ttl type scan ping exists lrange hgetall monitor dbsize".split()
    ),
    "brew": frozenset("list info search".split()),
    "make": frozenset("help".split()),
    "argocd": frozenset("get list diff logs history".split()),
    "velero": frozenset("get describe logs".split()),
    "crictl": frozenset("ps logs images inspect".split()),
}
#: Subcommands that only read, whatever the program.
READING_VERBS = frozenset(
    "list ls show status describe diff plan validate verify lint help version info inspect view history log logs"
    " whoami doctor".split()
)
#: Subcommands that do something to what is named behind them, even if that is called `plan` or `logs`.
ACTING = frozenset(
    "apply delete del remove rm destroy drop purge push run exec start stop restart kill deploy create set update"
    " upgrade restore prune reset send publish".split()
)
#: Subcommands and tasks that only tell whether something is right: what they reject is no reason not to run them.
CHECKING = frozenset(
    "lint test tests check checks verify validate plan typecheck vet audit e2e pytest jest vitest".split()
)
#: Options of `curl` with which it sends or writes something.
SENDING = frozenset(
    "-d --data --data-raw --data-binary --json -F --form -T --upload-file -o -O --output".split()
)
#: Programs whose subcommands have subcommands.
GROUPED = frozenset("docker gh aws kubectl argocd".split())
#: Programs that change the files they are given.
WRITERS = frozenset(
    "rm mv cp tee touch truncate dd patch vi vim nano nvim emacs code sops chmod chown shred unlink ln rsync"
    " install ed ex".split()
)
