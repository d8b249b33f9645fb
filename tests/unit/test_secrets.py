"""What counts as a secret, and what is only talk about one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_layer.errors import InvalidInput
from memory_layer.policy.secret_formats import FORMATS
from memory_layer.policy.secrets import DEEPEST_VALUE, KINDS, redact, redact_value
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
