"""Words of the trade that stand for each other: abbreviations, and words people use for the same thing.

A search uses them to understand a question; nothing is stored by them. Terms are stems, as in `words`.
"""

from __future__ import annotations

from functools import cache

from memory_layer.text.porter import stem

#: Short forms and what they stand for; either may be asked for.
_SHORT_FORMS = """
    adm administrator admin|amt amount|approx approximately|arch architecture|arg args argument
    attr attribute|auth authentication|authz authorization|avg average|calc calculate|cert certs certificate
    cfg conf config configuration|cmd cmds command|cnt count|col cols column|conn connection|cov coverage
    cred creds credential|ctx context|db dbs database|def definition|del delete|dep deps dependency
    dest destination|dev development|diff difference|dir directory|doc docs documentation|dup dups duplicate
    e2e end-to-end|env envs environment|err error|exc exception|exec execute|ext extension|fe frontend
    be backend|fmt format|fn func function|freq frequency|gen generate|hr hrs hour|i18n internationalization
    idx index|img image|impl implementation|info information|init initialize|js javascript
    k8s kube kubernetes|lang language|lbl label|len length|lib libs library|loc location|max maximum
    mem memory|mgmt management|mgr manager|migr migration|min minimum|mins minute|misc miscellaneous
    mr merge|msg msgs message|ns namespace|num number|obj object|op ops operation|opt option
    org organization|param params parameter|pct percent|perf performance|perm perms permission
    pg psql postgres postgresql|pkg pkgs package|pr prs pull|prd prod production|pref preference
    prev previous|prio priority|proc process|pw pwd passwd password|py python|qty quantity|rand random
    ref reference|regex regexp|rel release|repl replica|repo repos repository|repro reproduce|req request
    resp response|rev revision|rt runtime|sched schedule|sec secs second|sess session|sig signature
    spec specification|src source|srv server|std standard|stg staging|str string|subj subject|svc service
    sync synchronize|sys system|tbl table|temp tmp temporary|tf terraform|tok token|ts typescript
    tx txn transaction|tz timezone|usr user|util utility|val value|var vars variable|ver vers version
    vol volume|wf workflow|wip progress|ws websocket|wrt regarding
"""
#: Words that people use for the same thing; a word may stand in several lines.
_RELATED = """
    abort cancel stop kill terminate|access permission rights role privilege|account login signin session
    add create introduce new|alert alarm notification pager|allow permit may|answer reply response
    api endpoint route|approve approval review accept sign|argument parameter option flag
    asset image picture photo|async background queue worker job|authentication login credential
    backend server service|backup snapshot dump restore|ban forbid forbidden prohibit never disallow
    batch bulk|benchmark performance speed latency|big large huge|boundary limit cap maximum quota threshold
    branch trunk main|break fail crash|breaking incompatible|bug defect issue error|build compile bundle
    bump upgrade update|cache memoize ttl|call invoke request|certificate tls ssl https
    change modify edit alter|check verify validate test|chart helm|choose pick select prefer
    ci pipeline build actions|clean tidy lint format|cleanup teardown remove delete purge
    client customer user consumer|clock time timezone utc|cluster kubernetes|column field attribute
    command script run|comment docstring documentation|commit push|config configuration setting
    connect connection|container docker image pod|convention standard style guideline|copy clone duplicate
    cost price money bill|crash panic segfault|cron schedule scheduled nightly periodic
    dashboard grafana graph metric|data record row|database postgres mysql sqlite sql|date day time
    debug troubleshoot diagnose investigate|decide decision choose chose|delete remove drop erase wipe
    dependency package library module vendor|deploy deployment rollout release ship publish
    developer engineer|development local laptop|directory folder path|disable off
    document documentation docs readme|download fetch pull|downgrade rollback|duplicate same twice double
    email mail|empty null none missing|enable on activate|encrypt encryption cipher
    environment staging production|error exception failure fault|event message|example sample
    expire expiry ttl timeout|export dump|fast quick speed performance|feature functionality capability
    toggle rollout flag|filter search query|fix repair patch solve|flaky intermittent unstable random
    format style lint|frontend ui web page|function method|gradual gradually canary incremental
    hang stuck freeze block|hide conceal mask|history log audit|hotfix urgent emergency patch
    id identifier key|idempotent retry replay|import load ingest|incident outage downtime postmortem
    install setup|instance node machine server host|integration e2e|language locale i18n translation
    latency slow delay|layout structure architecture|length size|lock mutex|log logging trace|manual hand
    measure metric monitor|memory ram heap oom|merge combine|migrate migration schema|mobile phone app
    mock fake stub|monitor observe alert watch|name naming called|notify alert notification
    number count amount|oncall pager|order sequence sort|owner responsible maintainer lead|page view screen
    parallel concurrent concurrency|password secret credential passphrase token key|pause stop
    person who people team|personal pii private gdpr|pin lock freeze version|prefer preference like want
    prerequisite require need must|problem issue trouble|procedure process steps workflow checklist runbook
    production live|pull merge review pr|push publish upload|queue broker kafka rabbitmq sqs
    race concurrency deadlock|throttle quota limit|read load fetch|reason why because|recover restore
    release version tag|rename move|replace swap substitute|report summary|reset clear|restart reboot bounce
    result outcome|retry again reattempt repeat|revert rollback undo|rotate renew|run execute launch start
    save store persist write|schema table column|send emit publish|serialize json encode|share common
    short terse brief concise|slow latency performance|space disk storage bucket|start begin launch boot
    state status|task job ticket issue story|timeout deadline wait|tool program cli|trigger start
    unused dead|verbose long wordy|warn warning|workaround hack
"""
_SHARED = 2  #: letters that a term and every word with that stem have in common


def short_forms(term: str) -> tuple[str, ...]:
    """Return the other spellings of a term: the abbreviation of a word, the word of an abbreviation."""
    return _others(_SHORT_FORMS, term)


def related(term: str) -> tuple[str, ...]:
    """Return the terms that people use for the same thing."""
    return _others(_RELATED, term)


def _others(table: str, term: str) -> tuple[str, ...]:
    """Return the stems of the words that share a group with a term, without the term."""
    found: dict[str, None] = {}
    # Stemming the whole table would take longer than a search: stem only the words that may have this stem.
    for word, group in _by_beginning(table).get(term[:_SHARED], ()):
        if _stem(word) == term:
            found.update(dict.fromkeys(map(_stem, group)))
    found.pop(term, None)
    return tuple(found)


@cache
def _by_beginning(table: str) -> dict[str, list[tuple[str, list[str]]]]:
    """Return the words of a table with their groups, by their first letters."""
    found: dict[str, list[tuple[str, list[str]]]] = {}
    for group in table.replace("\n", "|").split("|"):
        words = group.split()
        for word in words:
            found.setdefault(word[:_SHARED], []).append((word, words))
    return found


@cache
def _stem(word: str) -> str:
    return stem(word) if word.isalpha() else word
