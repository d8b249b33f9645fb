"""What counts as a secret, and what is only talk about one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_layer.errors import InvalidInput
from memory_layer.text.secrets.find import DEEPEST_VALUE, KINDS, without_secrets
from memory_layer.text.secrets.formats import FORMATS
from memory_layer.text.secrets.redact import SHORT_ANCHORS, TOKEN_LENGTH, redact, redact_value
from tests.planted import PLANTED

FULL_SIZE = 64 * 1024

BENIGN = [
    "the token budget is 800",
    "max_tokens = 4096",
    "max_token: 100000",
    "token_count=12345678",
    "tokens: 1,024 per request",
    "pad_token = '<pad>'",
    "next_token: a1b2c3d4e5f6",
    "the design token: color-primary-500",
    "token: str",
    "token: str | None = None",
    "token: Optional[str] = None",
    "token: HS256",
    "token: 15minutes",
    "token=token",
    "this.token = token1",
    '"token": "refresh"',
    "token = secrets.token_urlsafe(32)",
    "token = request.headers['Authorization']",
    "const token = process.env.GITHUB_TOKEN;",
    "GITHUB_TOKEN: ${{ secrets.GITHUB_TOKEN }}",
    "TOKEN=$(gcloud auth print-access-token)",
    "The token is base64url-encoded",
    "pattern for token: [A-Za-z0-9_-]{36}",
    "tokenizer = AutoTokenizer.from_pretrained('bert-base-uncased')",
    "password = os.environ['DB_PASSWORD']",
    "password = getpass.getpass()",
    "password: SecretStr = Field(..., min_length=12)",
    "password: <your password>",
    "password: xxx",
    "password=***",
    "password: ...",
    "password: required",
    "password: min 8 characters, one digit",
    "password=password",
    "connect(user=user, password=password, host=host)",
    "if password != password2: raise",
    "password=%DB_PASSWORD%",
    "password: '{{ vault_db_password }}'",
    "password: op://vault/item1/field",
    "password: arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-AbCdEf",
    "passwords are hashed with argon2id",
    "the password is sha256-hashed",
    "password_hash = bcrypt.hashpw(pw, salt)",
    "password must match ^(?=.*[A-Z])(?=.*\\d).{12,}$",
    '{"password": "required", "token": "optional"}',
    "DB_PASSWORD=changeme",
    "docker run -e POSTGRES_PASSWORD=postgres -p 5432:5432 postgres:16",
    "kubectl create secret generic db --from-literal=password=$DB_PASSWORD",
    "use --password-stdin instead of --password",
    "--password is required",
    "passwd: files systemd",
    "pwd=/home/me/project1",
    "PASS: TestLogin2 (0.31s)",
    "pass: 12 of 14",
    "set API_KEY=${API_KEY}",
    "API_KEY = 'test'",
    "api_key='...'",
    "api_key=your-api-key-1234",
    "api_key: 32 hex characters",
    "The API key is read from the vault",
    "access_key = settings.ACCESS_KEY",
    "private_key: /etc/ssl/private/server1.key",
    "cache_key = f'user:{user_id}:v2'",
    "the primary key = user_id2, the sort key: created_at2",
    "secret_key=None",
    "SECRET_KEY = env('SECRET_KEY')",
    "secret: db-credentials-v2",
    "secret: projects/42/secrets/db/versions/1",
    "secret = hashlib.sha256(seed).hexdigest()",
    "client_secret = config['oauth']['client_secret']",
    "docker build --secret id=npm1,src=.npmrc .",
    "- name: DB_PASSWORD\n  valueFrom: secretKeyRef",
    "AKIA is the prefix of AWS keys",
    "AWS key ids start with AKIA or ASIA and have 20 characters",
    "ghp_" + "x" * 36 + " is a placeholder",
    "sk-ant-... keys belong in the keychain",
    "install scikit-learn; the old name sk-learn is wrong",
    "eyJ is how every JWT starts",
    "npm_config_registry=https://registry.acme.dev",
    "hf_hub_download('bert-base-uncased', 'config.json')",
    "-----BEGIN PRIVATE KEY----- is the header of a PEM file",
    "-----BEGIN RSA PRIVATE KEY-----\n...\n-----END RSA PRIVATE KEY-----",
    "-----BEGIN PUBLIC KEY-----\n" + "A1b2" * 16 + "\n-----END PUBLIC KEY-----",
    "commit 3f786850e387550fdab836ed7e6dc881de23001b broke the build",
    "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "trace id 550e8400-e29b-41d4-a716-446655440000",
    "the cache entry cache-key-d41d8cd98f00b204e9800998ecf8427e is stale",
    "pin numpy==2.1.3 and torch>=2.4,<3; version 1.2.3-beta.4+build.5",
    "Authorization: Bearer <token>",
    "Authorization: Bearer $TOKEN",
    "Authorization: Basic authentication is disabled",
    "use Bearer authentication for all endpoints",
    "Set-Cookie: SameSite=Lax; Secure; HttpOnly",
    "Cookie: session=<id>",
    "postgres://user:password@localhost:5432/db",
    "postgresql://postgres:postgres@localhost/test",
    "https://user:${TOKEN}@github.com/org/repo",
    "redis://:<password>@cache:6379",
    "http://localhost:8080/path@2x.png",
    "git@github.com:org/repo.git",
    "mysql -h db -u app -p",
    "curl -u user:password https://x",
    "curl -u $USER:$PASS https://x",
]

WEAK = "hunter" + "2"
WORD = "letmein" + "please"
STRONG = "S3cure" + "!pw"
MIXED = "a1b2c3" + "d4e5f6"
HEX = "9f86d081" * 4

#: A text with a gap, and the value that must go from there.
ASSIGNED = [
    ("password: ◆", WEAK),
    ("the admin password is ◆", WEAK),
    ("The password for the staging db is ◆.", WEAK),
    ("the root password was changed to ◆", WEAK + "!"),
    ("password is '◆'", WEAK),
    ("DB_PASSWORD=◆", WORD),
    ("POSTGRES_PASSWORD: ◆", WORD),
    ("PGPASSWORD=◆ psql", WEAK),
    ('{"password": "◆"}', WEAK + "secret"),
    ('{\\"password\\": \\"◆\\"}', WEAK + "secret"),
    ('"password": ◆', "1234" * 2),
    ("password = '◆'", WORD),
    ("password: str = '◆'", WORD),
    ("password='◆'", "p@ss;word 1"),
    ("password => '◆'", WEAK),
    ("password: ◆ & more", "Tr0ub4dor" + "&3"),
    ("password: ◆", "$2b$12$" + MIXED + MIXED),
    ("db.connect(host, password='◆', port=1)", STRONG),
    ("a=1,password=◆,b=2", WEAK),
    ("Server=db;User Id=sa;Password=◆;Encrypt=true", WORD),
    ("<password>◆</password>", WEAK),
    ("define('DB_PASSWORD', '◆');", WEAK),
    ("- name: DB_PASSWORD\n  value: ◆", WEAK),
    ("tool --password ◆ --x", MIXED),
    ("tool --token=◆", MIXED),
    ("tool --api-key '◆'", MIXED),
    ("dbPass = '◆'", WEAK),
    ("os.environ['API_KEY'] = '◆'", MIXED),
    ("X-Api-Key: ◆", MIXED),
    ("apiKey: '◆'", MIXED),
    ("the API key for staging is ◆", MIXED),
    ("SECRET_KEY=◆", HEX),
    ("SECRET_KEY = '◆'", "django-insecure-" + MIXED),
    ("?access_token=◆&x=1", MIXED),
    ("https://docs.example.com/page?token=◆&part=2", MIXED),
    ("//registry.acme.dev/:_authToken=◆", MIXED + "-e5f6"),
    ("Authorization: Token ◆", HEX),
    ("machine x login bob password ◆", WEAK),
    ("sshpass -p ◆ ssh x", WEAK),
    ("curl -u bob:◆ https://x", WEAK),
    ("redis://:◆@cache:6379", WEAK),
    ("postgres://admin:◆@db.prod/x", "secret"),
    ("postgres://u:◆@host/db", "p@ss"),
    ("bob:◆@tcp(127.0.0.1:3306)/db", WEAK),
]

FRAGMENTS = [
    *(
        "password",
        "token",
        "secret",
        "api_key",
        "PASSWORD",
        "--token",
        "Authorization",
        "Bearer",
        "Cookie",
        "curl -u a",
    ),
    *(
        "=",
        ":",
        " ",
        '"',
        "'",
        "\n",
        ",",
        "@",
        "://",
        "/",
        "<",
        ">",
        "]",
        "is",
        "[REDACTED:",
        "[REDACTED:token]",
        "\u200b",
        "\\n",
        "%20",
        "%3D",
        "&#95;",
        "\x1b[32m",
        "\u0301",
        "ｇ",
        "${",
        "$(",
    ),
    *(
        "hunter2",
        "a1b2c3d4e5f6g7h8",
        "-----BEGIN PRIVATE KEY-----",
        "-----END PRIVATE KEY-----",
        "value",
        "İ",
        "x",
    ),
    *(secret for _, secret in PLANTED.values()),
]


def test_every_kind_has_a_planted_example():
    assert set(PLANTED) == set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_a_planted_secret_gives_way_to_its_kind_and_nothing_else_changes(kind):
    text, secret = PLANTED[kind]

    redacted = redact(text)

    assert redacted.text == text.replace(secret, f"[REDACTED:{kind}]")
    assert redacted.kinds == (kind,)


@pytest.mark.parametrize("kind", KINDS)
def test_a_secret_split_by_an_invisible_character_is_still_found(kind):
    text, secret = PLANTED[kind]
    middle = len(secret) // 2
    split = secret[:middle] + "\u200b" + secret[middle:]

    redacted = redact(text.replace(secret, split))

    assert split not in redacted.text
    assert redacted.kinds == (kind,)


@pytest.mark.parametrize("kind", KINDS)
def test_hostile_repetition_of_a_format_ends(kind):
    broken = PLANTED[kind][1][:-1] + "!"
    hostile = (broken * (FULL_SIZE // len(broken) + 1))[:FULL_SIZE]

    assert redact(hostile).text


@pytest.mark.parametrize("anchor", sorted({anchor for row in FORMATS for anchor in row.anchors}))
def test_hostile_repetition_of_an_anchor_ends(anchor):
    hostile = (anchor * (FULL_SIZE // len(anchor) + 1))[:FULL_SIZE]

    assert redact(hostile).text


@pytest.mark.parametrize(
    "piece",
    [
        *(
            "password",
            "password=",
            "password='",
            'password="a b',
            "password for a b c d e ",
            "password: a.b",
            "secret=",
        ),
        *(
            "-----BEGIN PRIVATE KEY-----",
            "-----BEGIN RSA PRIVATE KEY-----\nA: b\n",
            "://a:",
            "a:b@",
            "curl -u ",
            "login ",
        ),
        *(
            "cookie: a=",
            "[REDACTED:",
            "\u200b",
            "A1b2-",
            "mysql -p",
            "Authorization: Bearer ",
            "password=a,b=",
            '"auth": "',
        ),
    ],
)
def test_hostile_repetition_of_an_assignment_ends(piece):
    hostile = (piece * (FULL_SIZE // len(piece) + 1))[:FULL_SIZE]

    assert redact(hostile).text


@pytest.mark.parametrize("text", BENIGN)
def test_talk_about_secrets_stays_as_it_is(text):
    redacted = redact(text)

    assert redacted.text == text
    assert redacted.kinds == ()


@pytest.mark.parametrize(("text", "value"), ASSIGNED)
def test_of_an_assignment_only_the_value_goes(text, value):
    redacted = redact(text.replace("◆", value))
    before, _, after = text.partition("◆")

    assert len(redacted.kinds) == 1
    assert redacted.text == f"{before}[REDACTED:{redacted.kinds[0]}]{after}"


def test_kinds_are_named_once_in_order_of_appearance():
    text = "\n".join(PLANTED[kind][0] for kind in ("jwt", "github-token", "jwt", "password"))

    assert redact(text).kinds == ("jwt", "github-token", "password")


def test_a_named_token_is_reported_by_its_format_not_by_its_name():
    secret = PLANTED["github-token"][1]

    assert redact(f"GITHUB_TOKEN={secret}").text == "GITHUB_TOKEN=[REDACTED:github-token]"
    assert redact(f"https://oauth2:{secret}@github.com/a/b").kinds == ("github-token",)


def test_a_private_key_that_lost_its_end_goes_up_to_the_prose_after_it():
    whole = PLANTED["private-key"][1]
    cut = whole.rpartition("\n")[0]

    redacted = redact(f"see\n{cut}\nand then reload nginx")

    assert redacted.text == "see\n[REDACTED:private-key]\nand then reload nginx"


def test_a_private_key_on_one_line_with_escaped_line_ends_is_found():
    key = PLANTED["private-key"][1].replace("\n", "\\n")

    assert redact(f"KEY='{key}'").text == "KEY='[REDACTED:private-key]'"


def test_a_value_of_any_length_goes_as_a_whole():
    value = "a1B2" * 2_000

    assert redact(f"API_TOKEN={value} and more").text == "API_TOKEN=[REDACTED:token] and more"
    assert redact(f"postgres://app:{value}@db/x").text == "postgres://app:[REDACTED:url-password]@db/x"


@given(st.text())
def test_any_text_can_be_redacted_and_redacting_again_changes_nothing(text):
    once = redact(text)

    assert redact(once.text).text == once.text


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=12).map("".join))
def test_redacting_what_is_made_of_secrets_and_markers_twice_changes_nothing(text):
    once = redact(text)

    assert redact(once.text).text == once.text


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ \n.,"))
def test_plain_words_hold_no_secret(text):
    assert redact(text).kinds == ()


def test_a_value_is_redacted_at_every_depth_in_keys_and_in_values():
    text, secret = PLANTED["github-token"]
    value = {"notes": [text, {"deep": (secret, 1)}], secret: 7, "kept": [None, True, 1.5, "plain"]}

    redacted, kinds = redact_value(value)

    marker = "[REDACTED:github-token]"
    assert redacted == {
        "notes": [text.replace(secret, marker), {"deep": [marker, 1]}],
        marker: 7,
        "kept": [None, True, 1.5, "plain"],
    }
    assert kinds == ("github-token",)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"password": WEAK}, {"password": "[REDACTED:password]"}),
        ({"dbPassword": 12345678}, {"dbPassword": "[REDACTED:password]"}),
        ({"api_key": MIXED}, {"api_key": "[REDACTED:key]"}),
        ({"API key": MIXED}, {"API key": "[REDACTED:key]"}),
        ({"auth": {"client_secret": MIXED}}, {"auth": {"client_secret": "[REDACTED:secret]"}}),
        ({"token": [MIXED, "none"]}, {"token": ["[REDACTED:token]", "none"]}),
        (
            {"name": "DB_PASSWORD", "value": WEAK},
            {"name": "DB_PASSWORD", "value": "[REDACTED:password]"},
        ),
    ],
)
def test_a_field_named_like_a_secret_loses_its_value(value, expected):
    redacted, kinds = redact_value(value)

    assert redacted == expected
    assert len(kinds) == 1


@pytest.mark.parametrize(
    "value",
    [
        {"password": "required", "token": None, "secret": True},
        {"max_tokens": 4096, "token": 12345678, "token_budget": MIXED},
        {"password_policy": "min12chars", "primary_key": "user_id2", "key": MIXED},
        {"secret": "db-credentials-v2", "password": "[REDACTED:password]"},
        "plain",
        7,
        None,
        [],
    ],
)
def test_other_values_stay_as_they_are(value):
    assert redact_value(value) == (value, ())


def test_two_keys_that_lose_the_same_secret_both_stay():
    first, second = PLANTED["github-token"][1], PLANTED["github-token"][1] + "Z"

    redacted, _ = redact_value({first: 1, second: 2})

    assert isinstance(redacted, dict)
    assert list(redacted.values()) == [1, 2]


def test_a_value_nested_too_deeply_is_refused_with_the_limit():
    value: object = "x"
    for _ in range(DEEPEST_VALUE + 1):
        value = [value]

    with pytest.raises(InvalidInput, match=str(DEEPEST_VALUE)):
        redact_value(value)


GITHUB = PLANTED["github-token"][1]

#: What stands around a token in logs, query strings, pages and terminals.
AROUND = [
    "done\\n◆",
    "done\\t◆\\r\\n",
    "done\\r\\n◆",
    "done\\\\n◆\\\\n",
    "token%3D◆",
    "%22◆%22",
    "Bearer%20◆",
    "x%253D◆",
    "\x1b[32m◆\x1b[0m",
    "done\x1b[1;32m◆\x1b[0mdone",
    "\\u001b[32m◆\\u001b[0m",
    "\\x1b[32m◆",
    "\\033[32m◆",
    "&#34;◆&#34;",
    "a&nbsp;◆",
    "\\u0022◆\\u0022",
]
#: The same token, written so that its letters are not all there.
SPELLED = [
    GITHUB.replace("_", "%5F"),
    GITHUB.replace("_", "%5f"),
    GITHUB.replace("_", "%255F"),
    GITHUB.replace("_", "&#95;"),
    GITHUB.replace("_", "&#x5f;"),
    GITHUB.replace("_", "&amp;#95;"),
    GITHUB.replace("_", "&lowbar;"),
    GITHUB.replace("_", "\\u005f"),
    GITHUB.replace("_", "\\\\u005F"),
    GITHUB.replace("_", "\\u{5f}"),
    GITHUB.replace("_", "\\x5f"),
    GITHUB.replace("g", "\uff47", 1),
    "".join(chr(ord(char) + 0xFEE0) for char in GITHUB),
]
#: Characters that show nothing, or only a mark on the letter before.
UNSEEN = [
    "\u2065",
    "\u180b",
    "\u180f",
    "\ufff9",
    "\u0301",
    "\u20dd",
    "\x08",
    "\x1f",
    "\x00",
    "\x7f",
    "\u2060",
]


@pytest.mark.parametrize("text", AROUND)
def test_what_touches_a_token_does_not_protect_it(text):
    redacted = redact(text.replace("◆", GITHUB))

    assert GITHUB not in redacted.text
    assert redacted.kinds == ("github-token",)


@pytest.mark.parametrize("kind", [row.kind for row in FORMATS])
@pytest.mark.parametrize("text", ["done\\n◆", "%22◆%22", "\x1b[32m◆\x1b[0m"])
def test_a_secret_of_any_format_is_found_behind_an_encoded_character(kind, text):
    around, secret = PLANTED[kind]

    redacted = redact(text.replace("◆", around))

    assert secret not in redacted.text
    assert redacted.kinds == (kind,)


@pytest.mark.parametrize("spelled", SPELLED)
def test_a_token_in_encoded_or_wide_letters_goes_as_it_was_written(spelled):
    redacted = redact(f"push with {spelled} today")

    assert redacted.text == "push with [REDACTED:github-token] today"


@pytest.mark.parametrize("char", UNSEEN)
def test_a_token_is_found_through_marks_and_control_characters(char):
    redacted = redact(f"push with {GITHUB[:12]}{char}{GITHUB[12:]} today")

    assert redacted.text == "push with [REDACTED:github-token] today"


@pytest.mark.parametrize("prefix", ["x", "9", "[32m"])
@pytest.mark.parametrize(
    "kind",
    [
        "github-token",
        "anthropic-key",
        "slack-token",
        "aws-access-key-id",
        "gitlab-token",
        "stripe-key",
        "npm-token",
    ],
)
def test_a_telling_beginning_is_enough_where_a_letter_touches_it(kind, prefix):
    secret = PLANTED[kind][1]

    assert redact(prefix + secret).text == f"{prefix}[REDACTED:{kind}]"


def test_a_password_in_an_encoded_url_goes():
    assert redact(f"next=https%3A%2F%2Fbob%3A{WEAK}%40host%2Fx").text == (
        "next=https%3A%2F%2Fbob%3A[REDACTED:url-password]%40host%2Fx"
    )


@pytest.mark.parametrize(
    "piece",
    [
        *(
            "\\",
            "%",
            "%25",
            "&amp;",
            "&#0",
            "&#",
            "\\u",
            "\x1b[",
            "\x1b]",
            "\x1b[32m",
            "\u0301",
            "%5F",
            "\\n",
        ),
        *(
            "password=%22",
            "ghp%5F",
            "your-",
            "xxx.",
            "changeme",
            "password=[REDACTED:x]",
            "${",
            "$(",
            "\uff47",
        ),
    ],
)
def test_hostile_repetition_of_an_encoding_ends(piece):
    hostile = (piece * (FULL_SIZE // len(piece) + 1))[:FULL_SIZE]

    assert redact(hostile).text
    assert redact(f"password='{hostile}").text


@pytest.mark.parametrize(
    "value",
    [
        "forYour" + "3yes!",
        "myexample" + "R4nd0m!",
        "hunter2" + "xxx",
        "xxx" + "hunter2",
        "S3cure" + "...pw9",
        "$ecret" + "Passw0rd!",
        "$P4ss" + "w0rd",
        "(hunter" + "2!x",
        "[hunter" + "2!x",
        "S3cure" + "{x}pw!9",
        "p4ss${x}" + "w0rd9",
        "dummy" + "Tr0ub4dor",
    ],
)
def test_a_password_that_looks_in_part_like_a_placeholder_goes(value):
    assert value not in redact(f"DB_PASSWORD={value}").text
    assert value not in redact(f"password = '{value}'").text
    assert value not in redact(f"postgres://app:{value}@db/x").text


@pytest.mark.parametrize(
    "value",
    [
        *(
            "your-api-key-1234",
            "YOUR_API_KEY_HERE",
            "your_stripe_secret_key",
            "my-example-password1",
            "changeme123",
        ),
        *(
            "<your password>",
            "xxxx-xxxx-xxxx",
            "sk-xxxxxxxx",
            "abc...",
            "***",
            "[hidden]",
            "(required)",
            "{password}",
        ),
        *(
            "$DB_PASSWORD",
            "${DB_PASSWORD}",
            "$(pass show db1)",
            "$dbPassword",
            "%DB_PASSWORD%",
            "{{ password1 }}",
        ),
        *("[REDACTED:password]", "prefix-${PASSWORD}-v2", "not-a-real-key", "dummy-token-123", "placeholder"),
    ],
)
def test_a_value_that_is_a_placeholder_or_a_reference_as_a_whole_stays(value):
    for text in (f"password = '{value}'", f'"token": "{value}"', f"API_KEY='{value}'"):
        assert redact(text).text == text


@pytest.mark.parametrize(
    "text",
    [
        "password=[REDACTED:x]◆",
        "password=[REDACTED:password]◆",
        "password='[REDACTED:x]◆'",
        "password=ab[REDACTED:x]◆",
        "password=[REDACTED:◆]",
        "postgres://app:[REDACTED:x]◆@db/x",
        "mysql -u app -p[REDACTED:x]◆ prod",
    ],
)
def test_a_marker_that_was_typed_in_protects_nothing_behind_it(text):
    redacted = redact(text.replace("◆", "S3cure" + "pw9"))

    assert "S3cure" + "pw9" not in redacted.text
    assert redact(redacted.text).text == redacted.text


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("pw: ◆", WEAK),
        ("PW=◆", WEAK),
        ("DB_PW=◆", WEAK),
        ("dbPw = '◆'", WEAK),
        ("dbpw=◆", WEAK),
        ("Passwort: ◆", WEAK),
        ("das Passwort ist ◆", WEAK),
        ("contraseña: ◆", WEAK),
        ("contrasen\u0303a: ◆", WEAK),
        ("la contraseña es ◆", WEAK),
        ("Mot de passe : ◆", WEAK),
        ("passwordProd = '◆'", WEAK),
        ("DB_PASSWORD_PROD=◆", WEAK),
        ('password: "◆"', "correct horse " + "battery staple"),
        ("passphrase = '◆'", "purple monkey " + "dishwasher"),
    ],
)
def test_a_password_is_known_by_other_names_and_may_be_of_words(text, value):
    assert redact(text.replace("◆", value)).text == text.replace("◆", "[REDACTED:password]")


@pytest.mark.parametrize(
    "text",
    [
        'password: "must be at least eight characters"',
        '"password": "Enter a new one"',
        "password: 'Forgot your password'",
        "password: 'string value required'",
        "bcrypt.checkpw(pw, hashed)",
        "pw = getpass.getpass()",
        "the mot de passe is required",
        "highs_and_lows_of_the_day_2024 are cached",
        "task-a1b2c3d4e5f6a7b8c9d0e1f2 is done",
        "C:\\new\\token\\readme.txt",
        "printf('%20s %5d\\n', token, 12)",
        "the URL is https%3A%2F%2Fdocs.acme.dev%2Fpassword%3Freset",
        "AT&amp;T &#8212; café ｗｉｄｅ text",
    ],
)
def test_talk_that_only_comes_near_a_secret_stays(text):
    assert redact(text) == (text, ())


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"password": {"value": WEAK}}, {"password": {"value": "[REDACTED:password]"}}),
        ({"secret": {"a": [MIXED]}}, {"secret": {"a": ["[REDACTED:secret]"]}}),
        ({"password": {"a": {"b": WEAK}}}, {"password": {"a": {"b": "[REDACTED:password]"}}}),
        ({"Name": "password", "Value": WEAK}, {"Name": "password", "Value": "[REDACTED:password]"}),
        ({"KEY": "DB_PASSWORD", "VALUE": WEAK}, {"KEY": "DB_PASSWORD", "VALUE": "[REDACTED:password]"}),
        ({"passwords": [WEAK]}, {"passwords": ["[REDACTED:password]"]}),
        ({"tokens": {"ci": MIXED}}, {"tokens": {"ci": "[REDACTED:token]"}}),
        ({"credentials": {"bob": MIXED}}, {"credentials": {"bob": "[REDACTED:secret]"}}),
        ({"pw": WEAK}, {"pw": "[REDACTED:password]"}),
        ({"passwordProd": WEAK}, {"passwordProd": "[REDACTED:password]"}),
        ({"contraseña": WEAK}, {"contraseña": "[REDACTED:password]"}),
        (
            {"argv": ["tool", "--password", WEAK, "x1"]},
            {"argv": ["tool", "--password", "[REDACTED:password]", "x1"]},
        ),
        ({"pass\u200bword": WEAK}, {"pass\u200bword": "[REDACTED:password]"}),
        ({"password": 1234567.5}, {"password": "[REDACTED:password]"}),
        ({"password": "[REDACTED:x]" + WEAK}, {"password": "[REDACTED:password]"}),
    ],
)
def test_a_secret_is_known_by_the_field_it_lies_under(value, expected):
    redacted, kinds = redact_value(value)

    assert redacted == expected
    assert len(kinds) == 1
    assert redact_value(redacted) == (expected, ())


def test_a_password_beside_a_known_token_in_one_field_goes_with_it():
    redacted, kinds = redact_value({"password": f"{WEAK} {GITHUB}"})

    assert redacted == {"password": "[REDACTED:password]"}
    assert kinds == ("github-token", "password")


@pytest.mark.parametrize(
    "value",
    [
        {"token": {"type": "oauth2-bearer", "expires_at": "2026-01-01T00:00:00Z", "uses": 12345678}},
        {"tokens": {"input": 12345678, "output": 0.25}, "score": 0.123456789},
        {"argv": ["--verbose", MIXED], "name": "build", "value": MIXED},
        {"passwords": "are hashed", "credentials": None},
    ],
)
def test_what_only_describes_a_secret_stays(value):
    assert redact_value(value) == (value, ())


PIECES = st.one_of(
    st.sampled_from([text for text, _ in PLANTED.values()]),
    st.sampled_from([word for text, _ in PLANTED.values() for word in text.split()]),
    st.sampled_from(FRAGMENTS),
    st.text(max_size=8),
)


@given(st.lists(PIECES, max_size=6), st.sampled_from([" ", "", "\n"]))
def test_a_glance_passes_over_nothing_that_a_closer_look_would_take_out(
    pieces: list[str], between: str
) -> None:
    text = between.join(pieces)
    assert redact(text) == without_secrets(text)


@pytest.mark.parametrize(
    "text",
    [
        *BENIGN,
        *(text.replace("◆", secret) for text, secret in ASSIGNED),
        *(text for text, _ in PLANTED.values()),
    ],
)
def test_a_glance_and_a_closer_look_agree_on_secrets_and_on_talk_about_them(text: str) -> None:
    assert redact(text) == without_secrets(text)


def test_an_id_of_this_program_is_no_secret_whatever_it_ends_with():
    ids = "out_5ya2ugyqccdbhh3qxehzc6w6pw:mem_vxa7ss7vlpwekom3i5njahzw4m"

    assert redact(ids) == (ids, ())
    assert redact(f"pw:{ids}").kinds


CHOSEN = "Gartenzwerg" + "_82!"
GENERATED = "tR7kLm9" + "Qx2vB4"

#: A text with a gap, and the value that must go from there: told, handed over or laid out, but not assigned.
PHRASED = [
    ("username bob, password ◆", CHOSEN),
    ("the password ◆ works", CHOSEN),
    ("Passwort ◆", CHOSEN),
    ("secret ◆", GENERATED),
    ("pass: ◆", CHOSEN),
    ("use ◆ as the password when it asks", "Quitten" + "gelee5"),
    ("◆ is the token of the build server", GENERATED),
    ("The password for the VM image:\n◆", CHOSEN),
    ("password: >-\n  ◆", CHOSEN),
    ("token: |\n  ◆", GENERATED),
    ("| user | password |\n|---|---|\n| bob | ◆ |", CHOSEN),
    ("| password | ◆ |", CHOSEN),
    ("user,password\nbob,◆", CHOSEN),
    ("ALTER ROLE app WITH PASSWORD '◆';", CHOSEN),
    ("CREATE USER app IDENTIFIED BY '◆'", CHOSEN),
    ("INSERT INTO users (name, password) VALUES ('bob', '◆')", CHOSEN),
    ("aws configure set aws_secret_access_key ◆", GENERATED * 2),
    ("mongo -u bob -p ◆ shop", CHOSEN),
    ("twine upload -p ◆ dist/*", CHOSEN),
    ("zip -P ◆ a.zip b", CHOSEN),
    ("echo ◆ | docker login --password-stdin", CHOSEN),
    ("AZURE_PAT=◆", GENERATED * 2),
    ("FERNET_KEY=◆", GENERATED * 2),
    ("CREDENTIALS=◆", GENERATED),
    ("https://maps.acme.dev/x?key=◆", GENERATED * 2),
    ("https://◆@git.acme.dev/a/b", GENERATED),
    ("grafana: admin / ◆", CHOSEN),
    ("bob@acme.dev with ◆", "Maple" + "4Comet"),
    ("session.auth = ('bob', '◆')", CHOSEN),
    ("page.fill('#password', '◆')", CHOSEN),
    ("the archive opens with ◆", CHOSEN),
    ("SIM PIN ◆", "28" + "59"),
    ("docs/password-◆.txt", GENERATED),
    ("El código: la contraseña de staging es ◆", CHOSEN),
    ("пароль от стенда ◆", CHOSEN),
    ("测试环境密码：◆", CHOSEN),
    ("テスト環境のパスワードは◆", CHOSEN),
]


@pytest.mark.parametrize(("text", "value"), PHRASED)
def test_a_secret_goes_however_it_is_phrased(text, value):
    redacted = redact(text.replace("◆", value))
    before, _, after = text.partition("◆")

    assert redacted.kinds
    assert redacted.text == f"{before}[REDACTED:{redacted.kinds[0]}]{after}"


@pytest.mark.parametrize(
    "text",
    [
        "the password is stored in Vault under web/prod2",
        "password reset flow v2 sends a mail within 30s",
        "use a token with repo scope, not the classic one from 2021",
        "the token endpoint is /oauth2/token, see RFC6749",
        "commit 3f786850e387550fdab836ed7e6dc881de23001b fixed the token refresh",
        "the password column is varchar(255), hashed with argon2id m=64MB",
        "| field | type |\n|---|---|\n| password | string |",
        "user,password,role\nbob,required,admin",
        "mkdir -p build2/out && docker run -p 8080:80 app:v1.2",
        "public key ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIm7jYoMXNI9gN7vUh",
        "the SSH key fingerprint is SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8",
        "token id 550e8400-e29b-41d4-a716-446655440000 was revoked",
        "arn:aws:secretsmanager:eu-central-1:123456789012:secret:shop/stripe-a1B2c3 is read at boot",
        "kind: SealedSecret\nspec:\n  encryptedData:\n    password: AgBHJ+S/zqB5kgeH28TXwTrpv61k",
        "type Mutation { resetPassword(token: String!, newPassword: String!): Boolean! }",
        "LED is on pin 13, the PIN field takes 4 to 6 digits",
        "sign in with Auth0, connect with HTTP/2 and OAuth2.0",
        "private_key: X25519PrivateKey, token: OAuth2PasswordBearer",
    ],
)
def test_talk_in_the_same_phrases_stays(text):
    assert redact(text) == (text, ())


@pytest.mark.parametrize(
    "kind", ["github-token", "replicate-token", "aws-access-key-id", "jwt", "service-token"]
)
@pytest.mark.parametrize("count", [2, 3, 5, 50])
def test_none_of_several_tokens_without_a_gap_is_left(kind, count):
    secret = PLANTED[kind][1]

    assert secret[-10:] not in redact(secret * count).text


def test_tokens_of_several_formats_without_a_gap_all_go():
    chain = [
        PLANTED[kind][1] for kind in ("github-token", "aws-access-key-id", "replicate-token", "gitlab-token")
    ]

    text = redact("".join(chain)).text

    assert not [secret for secret in chain if secret[-10:] in text]


@pytest.mark.parametrize(
    "piece",
    [
        *(
            "password ",
            "пароль ",
            "密码",
            "| password ",
            "a,b\n",
            "user,password\nbob,",
            "login bob / ",
            "a@b.c / ",
        ),
        *(
            "echo a | ",
            "-p ",
            "IDENTIFIED BY '",
            "password('",
            "PIN 1",
            "recovery codes: 1234-5678 ",
            "?key=",
            "/reset/",
        ),
        *(
            "seed phrase: word ",
            "opens with A1b2C3 ",
            "aB3dE5gH7jK9mN is the password ",
            "arn:aws:",
            "$6$",
            "key ",
        ),
        *("password: >-\n", "<b>password</b>", "insert into t(a) values(", "a_b-c.d", "Ab1!", "user a:"),
    ],
)
def test_hostile_repetition_of_a_phrase_ends(piece):
    hostile = (piece * (FULL_SIZE // len(piece) + 1))[:FULL_SIZE]

    assert redact(hostile).text


def test_a_glance_stops_at_the_anchors_of_all_short_formats():
    short = [anchor for row in FORMATS if row.length < TOKEN_LENGTH for anchor in row.anchors]

    assert set(SHORT_ANCHORS) == set(short)
