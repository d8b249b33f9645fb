"""The letters without which a text holds no secret of some sort: looking for them is far cheaper than a pattern."""

from __future__ import annotations

#: A text without any of these announces nothing by name. Letters with marks are met without them, too.
NAME_ANCHORS = tuple(
    """
    pass pw p/w secret token key _pat -pat _salt cred mdp psk bearer
    kennwort zugang geheim schlussel schluessel contrase clave llave identifiants senha chave clé jeton chiave
    sleutel segret wachtwoord losenord lösenord kodeord adgangskode salasana haslo hasło heslo geslo lozinka jelsz
    parol sifre khau sandi парол ключ токен секрет κωδικ סיסמ كلمة पासवर्ड รหัสผ่าน
    密码 密碼 口令 密钥 密鑰 令牌 パスワード キー 暗証番号 비밀번호 암호 토큰
    """.split()
)
#: A text without any of these tells of no login.
LOGIN_ANCHORS = (
    *(
        " / ",
        "log in",
        "logged in",
        "sign in",
        "signed in",
        "user ",
        "user:",
        "user=",
        "auth(",
        "auth =",
        "auth=",
    ),
    *"login cred zugang zugänge username identifiants admin basic unlock decrypt öffn entsperr opens @ root".split(),
)
#: What shows at a glance that one may be told, besides a word that looks like a password.
LOGIN_SIGNS = tuple("zugänge username admin unlock decrypt öffn entsperr opens".split())
CODE_ANCHORS = (
    *(
        "pin ",
        "pin:",
        "pin-",
        "pin=",
        "pincode",
        "passcode",
        "codes",
        " code",
        "code:",
        "code ",
        "licen",
        "lizenz",
    ),
    *("serial", "product key", "seed"),
)
PHRASE_ANCHORS = ("phrase", "seed", "mnemonic")
WIRELESS_ANCHORS = ("wifi", "wi-fi", "wlan")
#: What shows at a glance that a code may be told; `PIN` and others are too common within words.
CODE_SIGNS = ("codes", "pincode", "keypad", "zugangscode")
#: Whole words that announce a secret.
SIGN_WORDS = frozenset({"PIN", "PAT", "door", "alarm"})
URL_ANCHORS = ("://", "@tcp(", "@unix(")
#: The short options by which programs take secrets.
OPTIONS = frozenset("-p -P -w -a -k -t -u -U -N -A -X -c -b -s --user --auth".split())
#: Words of a command that takes a secret in another way.
COMMAND_SIGNS = tuple(
    "login echo printf sqlplus securestring rabbitmqctl http-basic /user: snyk rclone /p:".split()
)
#: What the words of any other command have that are not plain.
COMMAND_ANCHORS = (" -", "\\", "pass", "token", "secret", "key", *COMMAND_SIGNS)
#: What names a password in a statement beside the word itself.
SQL_ANCHORS = ("identified", "crypt(", "encrypt(")
#: A text of short words with none of these, in which nothing is encoded or hidden and no word is striking, holds no
#: secret but one of a format. None of them holds white space, so that a text has one if one of its words has.
SIGNS = (
    *(
        *NAME_ANCHORS,
        *LOGIN_SIGNS,
        *CODE_SIGNS,
        *PHRASE_ANCHORS,
        *WIRELESS_ANCHORS,
        *URL_ANCHORS,
        *COMMAND_SIGNS,
    ),
    *SQL_ANCHORS,
)
#: Texts of short words, which most are, cannot hold most tokens.
TOKEN_LENGTH = 20
#: The anchors of formats that are shorter than that.
SHORT_ANCHORS = (
    *('"auth', "_auth", '"kty"', ":5432:", ":3306:", ":1433:", ":*:", "password", "authorization", "bearer"),
    *("ssws", "apikey", "api-key", "cookie:", "sess", "connect.sid"),
)
#: Marks that people put into passwords and hardly ever into names.
MARKS = frozenset("!#$%^&*~?+=@§€£")
