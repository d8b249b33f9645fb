"""Facts of an invented podcast host, each with what holds first, what holds later, and what never held.

Apart from its first one, the questions about a fact share few words with its statements on purpose: people ask in other
words than they wrote.
"""

from __future__ import annotations

from typing import NamedTuple


class Fact(NamedTuple):
    """One thing that can be known about the project."""

    area: str
    category: str
    values: tuple[str, str, str]  #: at first, after a change, and one that was never right
    statements: tuple[str, str]  #: two ways to note a value
    questions: tuple[str, str, str, str]  #: ways to ask for it, the first one with words of the statements


class Area(NamedTuple):
    """A part of the project, with the files that belong to it and the tasks that touch it."""

    path: str
    tasks: tuple[str, str]


AREAS = {
    "upload": Area(
        "ingest/upload.py",
        ("Let hosts resume an interrupted upload", "Reject corrupt audio files before they are queued"),
    ),
    "encoding": Area(
        "encoder/jobs.py",
        ("Add an Opus variant next to the MP3 one", "Make loudness normalisation optional per show"),
    ),
    "feeds": Area(
        "feeds/render.py",
        ("Support chapters in the RSS output", "Add a tag for the podcast's location to the feed"),
    ),
    "database": Area(
        "db/migrations/0042.py",
        ("Add a column for the episode's season", "Speed up the slow list of episodes"),
    ),
    "player": Area(
        "web/player/index.ts",
        ("Remember the playback speed between visits", "Show a sleep timer in the embedded player"),
    ),
    "login": Area(
        "accounts/session.py",
        ("Let editors log in with a passkey", "Log people out of all devices on password change"),
    ),
    "billing": Area(
        "billing/invoices.py",
        ("Offer yearly plans with two months free", "Fix rounding of the VAT on refunds"),
    ),
    "deployment": Area(
        "ops/deploy.yaml",
        ("Roll the encoder out separately from the web app", "Prepare the release of next week"),
    ),
    "tests": Area(
        "tests/conftest.py",
        ("Get rid of the flaky end-to-end tests", "Write tests for the new statistics page"),
    ),
    "statistics": Area(
        "stats/downloads.py",
        ("Count downloads by country", "Filter bots out of the listener numbers"),
    ),
    "mail": Area(
        "mail/templates/welcome.html",
        ("Send hosts a weekly summary", "Translate the welcome message into French"),
    ),
    "search": Area(
        "search/indexer.py",
        ("Index transcripts so that listeners find quotes", "Rank newer episodes higher in results"),
    ),
    "storage": Area(
        "storage/buckets.py",
        ("Delete the audio of cancelled accounts", "Move old episodes to cheaper storage"),
    ),
    "monitoring": Area(
        "ops/alerts.yaml",
        ("Alert when the queue of encoding jobs grows", "Clean up the dashboard for on-call"),
    ),
    "interface": Area(
        "web/styles/theme.css",
        ("Add a dark theme to the editor", "Make the episode form usable on a phone"),
    ),
}


FACTS = (
    Fact(
        "upload",
        "fact",
        ("2 GB", "5 GB", "500 MB"),
        ("Audio uploads are limited to {} per file.", "The gateway refuses request bodies above {}."),
        (
            "upload size limit per file",
            "how big may a recording be?",
            "why does a long episode get a 413?",
            "what is the size cap for hosts?",
        ),
    ),
    Fact(
        "upload",
        "architecture",
        ("tus chunks of 8 MB", "multipart parts of 16 MB", "one plain POST"),
        ("The browser sends files in {}.", "Resumable transfer works through {}."),
        (
            "how does the browser send files to us",
            "by which mechanism do recordings reach the server?",
            "what happens on the wire when someone adds an episode?",
            "how is an interrupted transfer continued?",
        ),
    ),
    Fact(
        "upload",
        "gotcha",
        ("/var/spool/ingest", "/data/incoming", "/tmp/uploads"),
        ("Half-received files pile up in {}; a cron job empties it.", "Unfinished uploads lie in {}."),
        (
            "where are unfinished uploads",
            "disk is full on the ingest box, where do I look?",
            "which folder holds partial recordings?",
            "where do aborted transfers end up?",
        ),
    ),
    Fact(
        "encoding",
        "environment",
        ("4", "6", "16"),
        (
            "The encoder runs {} ffmpeg workers on each node.",
            "More than {} parallel ffmpeg processes make a node swap.",
        ),
        (
            "number of ffmpeg workers",
            "how many conversions happen at once per machine?",
            "what is a safe degree of parallelism for audio jobs?",
            "the transcoding host is out of memory, what is the limit?",
        ),
    ),
    Fact(
        "encoding",
        "convention",
        ("-16 LUFS", "-14 LUFS", "-23 LUFS"),
        ("Episodes are normalised to {}.", "Loudness target for every show: {}."),
        (
            "loudness target of episodes",
            "which volume level do we master to?",
            "an episode sounds too quiet, what should it be?",
            "what does the levelling step aim for?",
        ),
    ),
    Fact(
        "encoding",
        "command",
        ("make requeue ID=<job>", "castctl jobs retry <job>", "redis-cli LPUSH encode <job>"),
        ("A failed encoding job is started again with `{}`.", "To repeat a broken conversion run `{}`."),
        (
            "start a failed encoding job again",
            "an episode is stuck in processing, how do I kick it?",
            "how can I redo a transcode?",
            "what to type when ffmpeg died halfway?",
        ),
    ),
    Fact(
        "feeds",
        "fact",
        ("300 episodes", "1000 episodes", "50 episodes"),
        ("A feed lists the latest {} only.", "RSS output is cut after {}."),
        (
            "how many episodes are in a feed",
            "old shows vanish from the podcast app, is there a maximum?",
            "how many items does the XML carry?",
            "why can't subscribers see our first season?",
        ),
    ),
    Fact(
        "feeds",
        "convention",
        ("15 minutes", "5 minutes", "24 hours"),
        (
            "Rendered feeds stay in the CDN cache for {}.",
            "It takes up to {} until a change shows up in a feed.",
        ),
        (
            "how long is a feed cached",
            "I edited a title and podcast apps still show the old one",
            "how long until directories notice a new episode?",
            "what is the TTL of the RSS documents?",
        ),
    ),
    Fact(
        "feeds",
        "gotcha",
        ("the guid", "the enclosure URL", "the title"),
        ("Never change {} of a published episode: apps download it again.", "Apps identify an item by {}."),
        (
            "what must not change in a published episode",
            "subscribers got every episode twice, what did we touch?",
            "what must stay stable once an item is out?",
            "which field makes clients think it's new?",
        ),
    ),
    Fact(
        "database",
        "dependency",
        ("PostgreSQL 15", "PostgreSQL 17", "MySQL 8"),
        ("Production runs {}.", "The primary datastore is {}."),
        (
            "database version in production",
            "which SQL server version do we have live?",
            "what should my local container use to match prod?",
            "can I rely on MERGE being available?",
        ),
    ),
    Fact(
        "database",
        "policy",
        ("concurrently", "in two releases", "on Sunday nights"),
        (
            "Indexes on the episodes table are created {}.",
            "New indexes on big tables: {}, never in one blocking step.",
        ),
        (
            "how to create indexes on the episodes table",
            "how do I speed up a lookup without locking everybody out?",
            "what is the rule for adding an index in production?",
            "may a migration block the episodes table?",
        ),
    ),
    Fact(
        "database",
        "environment",
        ("port 6432", "port 6543", "port 5432"),
        ("Services connect through pgbouncer on {}.", "The connection pooler listens on {}."),
        (
            "pgbouncer port",
            "too many clients already - where should the app connect?",
            "what goes into DATABASE_URL?",
            "which socket does the pool use?",
        ),
    ),
    Fact(
        "player",
        "architecture",
        ("Svelte", "Preact", "jQuery"),
        ("The embedded player is written in {}.", "Embeds are built with {} to stay small."),
        (
            "what is the embedded player written in",
            "which framework is the widget made with?",
            "what do I need to know to touch the audio widget's frontend?",
            "what renders the play button on customers' pages?",
        ),
    ),
    Fact(
        "player",
        "fact",
        ("40 kB", "60 kB", "250 kB"),
        ("The embed script may not exceed {} gzipped; CI checks it.", "Bundle budget of the embed: {}."),
        (
            "bundle budget of the embed script",
            "the size check fails for the widget, what's allowed?",
            "how heavy may the snippet on foreign sites get?",
            "how much JavaScript can we ship to partner pages?",
        ),
    ),
    Fact(
        "player",
        "pitfall",
        ("Safari", "Firefox for Android", "Edge"),
        (
            "{} stops playback when the tab sleeps unless the media session is set.",
            "Background playback breaks in {} first; test there.",
        ),
        (
            "browser with broken background playback",
            "sound ends when the phone locks, which browser is it?",
            "where does listening with the screen off fail?",
            "which client should I check for media session bugs?",
        ),
    ),
    Fact(
        "login",
        "fact",
        ("14 days", "30 days", "8 hours"),
        ("A session lasts {} without activity.", "Editors are signed out after {}."),
        (
            "how long does a session last",
            "when do people have to enter their password again?",
            "how long does the cookie live?",
            "a host complains about being kicked out, what is the period?",
        ),
    ),
    Fact(
        "login",
        "decision",
        ("argon2id", "scrypt", "bcrypt"),
        ("Passwords are hashed with {}.", "We chose {} for stored credentials."),
        (
            "password hashing",
            "which algorithm protects the secrets of users?",
            "how are credentials kept at rest?",
            "what do we use for password storage?",
        ),
    ),
    Fact(
        "login",
        "command",
        ("castctl users unlock", "the admin page Users > Unlock", "a delete from failed_logins"),
        ("A locked account is opened again with {}.", "After five wrong passwords only {} helps."),
        (
            "open a locked account",
            "a host can't get in any more after typos, what do I do?",
            "how to reset the brute-force block?",
            "support asks for help with a blocked editor",
        ),
    ),
    Fact(
        "billing",
        "dependency",
        ("Stripe", "Adyen", "PayPal"),
        ("Cards are charged through {}.", "{} is the payment provider; its webhooks update subscriptions."),
        (
            "which payment provider charges cards",
            "who processes the money?",
            "where do I look up a failed charge?",
            "whose API calls us when a subscription ends?",
        ),
    ),
    Fact(
        "billing",
        "convention",
        ("integer cents", "decimal strings", "floats"),
        ("Amounts are stored as {}.", "Money is passed around as {}."),
        (
            "how are money amounts stored",
            "what type should a price have in code?",
            "an invoice is off by a hundredth, how do we represent sums?",
            "how do I write a new column for fees?",
        ),
    ),
    Fact(
        "billing",
        "policy",
        ("7 days", "14 days", "60 days"),
        ("Shows stay online for {} after a failed payment.", "Grace period for unpaid plans: {}."),
        (
            "grace period after a failed payment",
            "when is a podcast taken down if the card bounces?",
            "how much time do customers get to settle a bill?",
            "a customer didn't pay, is the feed off already?",
        ),
    ),
    Fact(
        "deployment",
        "workflow",
        ("Tuesday and Thursday", "every weekday before 15:00", "Friday"),
        ("Releases go out on {}.", "The release window is {}."),
        (
            "on which days do releases go out",
            "may I ship this now?",
            "when do changes reach production?",
            "on which days do we roll out?",
        ),
    ),
    Fact(
        "deployment",
        "command",
        ("castctl rollback web", "helm rollback web", "git push -f origin release"),
        ("A bad release is taken back with `{}`.", "To return to the previous version: `{}`."),
        (
            "take back a bad release",
            "production is broken after the rollout, how do I go back?",
            "what reverts the web app?",
            "undo yesterday's deploy",
        ),
    ),
    Fact(
        "deployment",
        "environment",
        ("eu-central-1", "eu-west-3", "us-east-1"),
        ("The cluster runs in {}.", "All production machines are in {}."),
        (
            "region of the production cluster",
            "in which region are the servers?",
            "where does our data physically live?",
            "what do I set as AWS region?",
        ),
    ),
    Fact(
        "tests",
        "command",
        ("make check", "just verify", "tox -e all"),
        ("Before a pull request run `{}`.", "`{}` runs linters and all unit tests."),
        (
            "what to run before a pull request",
            "what do I execute before pushing?",
            "how do I know locally that CI will be green?",
            "run everything the pipeline runs",
        ),
    ),
    Fact(
        "tests",
        "preference",
        ("real PostgreSQL in a container", "a template database per worker", "SQLite in memory"),
        ("Tests use {}, no mocks of the database.", "For persistence tests we want {}."),
        (
            "database in tests",
            "should I fake the repository layer in a spec?",
            "what do integration checks talk to?",
            "how do tests get their tables?",
        ),
    ),
    Fact(
        "tests",
        "gotcha",
        ("TZ=UTC", "freezegun", "a sleep of one second"),
        ("Date tests fail in the evening without {}.", "Flaky calendar tests are cured by {}."),
        (
            "flaky date tests",
            "a spec about publishing days breaks after 22:00",
            "why does the schedule test pass only in the morning?",
            "how do we keep time-dependent checks stable?",
        ),
    ),
    Fact(
        "statistics",
        "decision",
        ("IAB 2.1", "IAB 2.2", "raw hits"),
        ("Downloads are counted by {}.", "Listener numbers follow {}."),
        (
            "standard for counting downloads",
            "what is our definition of a listen?",
            "why are our figures lower than the web log?",
            "which standard do audience numbers obey?",
        ),
    ),
    Fact(
        "statistics",
        "workflow",
        ("at 03:00", "every hour", "on the first of the month"),
        ("The roll-up of downloads runs {}.", "Aggregated numbers are refreshed {}."),
        (
            "when does the roll-up of downloads run",
            "when do yesterday's plays appear on the dashboard?",
            "the charts are stale, when is the job due?",
            "how fresh is the audience data?",
        ),
    ),
    Fact(
        "statistics",
        "dependency",
        ("ClickHouse", "DuckDB over Parquet", "Elasticsearch"),
        ("Raw download events are kept in {}.", "Analytics queries go to {}."),
        (
            "where are raw download events",
            "where can I query individual plays?",
            "which engine backs the reports?",
            "what stores the event stream of listeners?",
        ),
    ),
    Fact(
        "mail",
        "dependency",
        ("Postmark", "Amazon SES", "Mailchimp"),
        ("Transactional mail is sent through {}.", "{} delivers password resets and receipts."),
        (
            "service for transactional mail",
            "a user didn't get the reset message, which service do I check?",
            "who sends our notifications out?",
            "where are bounces listed?",
        ),
    ),
    Fact(
        "mail",
        "convention",
        ("MJML", "plain HTML tables", "Markdown"),
        ("Mail templates are written in {}.", "New messages to hosts are authored in {}."),
        (
            "language of mail templates",
            "in which language do I write a newsletter layout?",
            "how do I add another notification text?",
            "what format are the letters to customers in?",
        ),
    ),
    Fact(
        "mail",
        "policy",
        ("hello@", "noreply@", "the founder's address"),
        ("The sender of all mail is {}.", "Replies must reach us: send from {}."),
        (
            "sender address of our mail",
            "what goes in the From field?",
            "which address do customers see?",
            "as whom do we write to hosts?",
        ),
    ),
    Fact(
        "search",
        "dependency",
        ("Meilisearch", "Typesense", "Solr"),
        ("The catalogue is searched with {}.", "Full-text queries of listeners go to {}."),
        (
            "what is the catalogue searched with",
            "what powers the lookup of shows?",
            "typos in queries aren't tolerated, where is that configured?",
            "which engine answers the box on the home page?",
        ),
    ),
    Fact(
        "search",
        "command",
        ("castctl index rebuild", "make reindex", "dropping the index by hand"),
        ("The index is built anew by {}.", "After a schema change of documents: {}."),
        (
            "build the search index anew",
            "new shows can't be found, how do I refresh everything?",
            "regenerate what listeners look through",
            "how is the catalogue re-read from the database?",
        ),
    ),
    Fact(
        "search",
        "gotcha",
        ("1000 hits", "10000 hits", "100 hits"),
        ("The engine never returns more than {}, whatever the page.", "Paging ends silently at {}."),
        (
            "maximum number of search hits",
            "later result pages are empty, is that a bug?",
            "how deep can one scroll through matches?",
            "why does the sitemap job miss shows?",
        ),
    ),
    Fact(
        "storage",
        "architecture",
        ("Backblaze B2", "Cloudflare R2", "local disks"),
        ("Audio files are kept in {}.", "Masters and encoded files go to {}."),
        (
            "where are audio files kept",
            "where do the recordings live permanently?",
            "which object store do we pay for?",
            "who bills us for gigabytes at rest?",
        ),
    ),
    Fact(
        "storage",
        "policy",
        ("90 days", "30 days", "a year"),
        ("Deleted episodes can be recovered for {}.", "Audio is purged {} after deletion."),
        (
            "recover a deleted episode",
            "a host removed a show by accident, can we bring it back?",
            "how long do we keep what people throw away?",
            "when is a recording gone for good?",
        ),
    ),
    Fact(
        "storage",
        "convention",
        ("show/episode/hash.mp3", "hash prefix/hash.mp3", "date/file name"),
        ("Object keys have the form {}.", "Files are named {} in the bucket."),
        (
            "form of object keys in the bucket",
            "how do I find the blob of an episode?",
            "what is the naming scheme of stored audio?",
            "which path does a new file get?",
        ),
    ),
    Fact(
        "monitoring",
        "environment",
        ("Grafana at ops/cast", "Datadog, dashboard Cast", "a Nagios page"),
        ("Service health is shown in {}.", "On-call looks at {} first."),
        (
            "where is service health shown",
            "where can I see whether everything is up?",
            "which dashboard has the error rates?",
            "something is slow, where do I start looking?",
        ),
    ),
    Fact(
        "monitoring",
        "fact",
        ("200 waiting jobs", "800 waiting jobs", "20 waiting jobs"),
        ("The pager goes off at {} in the encoder queue.", "Queue alarm threshold: {}."),
        (
            "queue threshold of the pager",
            "how long a backlog is normal?",
            "why was I woken up about transcoding?",
            "at which length of the line is somebody called?",
        ),
    ),
    Fact(
        "monitoring",
        "workflow",
        ("#cast-ops", "PagerDuty", "the group inbox"),
        ("Incidents are reported in {}.", "Tell people about an outage through {}."),
        (
            "where to report an incident",
            "the site is down, whom do I tell and where?",
            "where do we coordinate during trouble?",
            "how is the team informed about problems?",
        ),
    ),
    Fact(
        "interface",
        "coding_style",
        ("CSS variables", "Tailwind classes", "inline styles"),
        ("Colours and spacing come from {}.", "Style components with {} only."),
        (
            "where do colours and spacing come from",
            "how do I set the tint of a new button?",
            "what is the way to write styling here?",
            "where does the palette come from?",
        ),
    ),
    Fact(
        "interface",
        "preference",
        ("sentence case", "title case", "capitals"),
        ("Labels and headings are in {}.", "Write every button text in {}."),
        (
            "case of labels and headings",
            "how should captions be capitalised?",
            "is it 'Save draft' or 'Save Draft'?",
            "what spelling do menus use?",
        ),
    ),
    Fact(
        "interface",
        "convention",
        ("src/locales/*.json", "messages/*.po", "strings.ts"),
        ("Texts for translation live in {}.", "Add new wording to {}, never to components."),
        (
            "where do texts for translation live",
            "where do I put a German label?",
            "how are words shown to users kept apart from code?",
            "which file gets a new caption?",
        ),
    ),
)
