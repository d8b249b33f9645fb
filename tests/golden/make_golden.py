"""Write minilm.json: what the reference implementation makes of sixty varied texts.

The test suite never runs this file; it only reads the result. To renew it, use an environment of its own:

    python -m venv reference
    reference/bin/pip install torch sentence-transformers
    reference/bin/python tests/golden/make_golden.py FOLDER

FOLDER is a complete sentence-transformers folder of all-MiniLM-L6-v2 (weights, configuration, tokenizer). Each line of
the result holds a text, the ids of its tokens and its vector, rounded to seven decimals.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from sentence_transformers import SentenceTransformer  # type: ignore[import-not-found]

TARGET = Path(__file__).with_name("minilm.json")

PROSE = """The build server runs out of space every other week because old layers are never removed. We agreed to keep
the last three images of each branch and to delete the rest at night. Nobody may delete an image that a running
service still uses, so the job first asks the cluster which ones are in use. """

TEXTS = [
    "The quick brown fox jumps over the lazy dog.",
    "How many people live in London?",
    "Around 9 million people live in London.",
    "always use snake_case for Python",
    "use snake_case",
    "The API listens on port 8080, staging on 8081.",
    "Never push to main without a green build!",
    "What did we decide about retries?",
    # code
    "def area(width: float, height: float) -> float:\n    return width * height\n",
    "for (let i = 0; i < items.length; i++) { total += items[i].price; }",
    "SELECT id, name FROM users WHERE deleted_at IS NULL ORDER BY name LIMIT 10;",
    'fn main() { println!("{:?}", vec![1, 2, 3]); }',
    "#include <vector>\ntemplate<typename T> T first(const std::vector<T>& v) { return v.at(0); }",
    '{"retries": 3, "timeout_s": 2.5, "hosts": ["a.example", "b.example"], "debug": null}',
    "git rebase --onto main feature~3 feature && make -j4 test 2>&1 | tee log.txt",
    "^(?:[a-z0-9]+(?:-[a-z0-9]+)*)@[^\\s]+$",
    "getUserByIdOrThrow, HTTPResponseCode, XMLHttpRequest, __init__, kebab-case-name",
    # paths, errors, numbers
    "/usr/local/lib/python3.11/site-packages/pip/__main__.py",
    "C:\\Users\\ann\\AppData\\Local\\Temp\\build.log",
    "src/core/**/*.test.ts",
    "https://example.org/a/b?c=d&e=%20f#g",
    "TypeError: unsupported operand type(s) for +: 'int' and 'NoneType'",
    "ERROR 1205 (HY000): Lock wait timeout exceeded; try restarting transaction",
    "error[E0502]: cannot borrow `x` as mutable because it is also borrowed as immutable",
    "Segmentation fault (core dumped) at 0x7ffd5e8a3c40",
    "3.14159 -2.71828 1e-10 1,234,567.89 0xDEADBEEF 0b1010 1_000_000",
    "v2.11.0-rc.3+build.77 >= 2.9, < 3.0",
    "2026-11-15T22:52:07.123456Z",
    "192.168.0.1:5432 and fe80::1ff:fe23:4567:890a",
    "state-of-the-art, well-known, up-to-date, re-run, e-mail, twenty-one",
    "550e8400-e29b-41d4-a716-446655440000",
    # nearly nothing
    "",
    " ",
    ".",
    "a",
    "\n\t \r\n",
    "?!?!",
    "\u200b\u200e\ufeff",
    "[CLS] and [SEP] and [MASK] are marks, [sep] is not",
    # scripts and marks
    "Café, naïve, jalapeño, Zürich, Łódź, Ærøskøbing, İstanbul, Straße",
    "cafe\u0301 nai\u0308ve a\u0300\u0301\u0302 e\u0328",
    "数据库连接池在故障转移后没有恢复。",
    "テストが失敗したら、ログを確認してください。カタカナ ｶﾀｶﾅ",
    "데이터베이스 연결을 다시 설정하세요.",
    "قاعدة البيانات لا تستجيب بعد التحديث، أعد التشغيل؟",
    "מסד הנתונים אינו מגיב",
    "База данных не отвечает после обновления; перезапустите сервис.",
    "Η βάση δεδομένων δεν ανταποκρίνεται. ΣΊΣΥΦΟΣ",
    "डेटाबेस कनेक्शन विफल रहा।",
    "ฐานข้อมูลไม่ตอบสนอง",
    "Cơ sở dữ liệu không phản hồi",
    "🚀 shipped! 👩‍💻👍🏽 works on 🇩🇪 machines ❤️",
    "x ≠ y, a ≤ b, ∑ xᵢ², 5 µs, 20 °C, ½ ﬁnal ﬀ ①",
    "“quotes” ‘single’ — dash – en … ellipsis «guillemets» 「角」",
    "100€, £20, $5, ¥300, 50%, C++ C# F#, a^b|c~d`e`",
    "NULL\x00BYTE and \x07bell and \ufffd replacement and soft\u00adhyphen and no\u00a0break",
    # long
    "pneumonoultramicroscopicsilicovolcanoconiosis " + "x" * 99 + " " + "y" * 100 + " " + "z" * 101,
    "abcdefghij" * 60,
    PROSE * 3,
    " ".join(f"{PROSE} Round {number} of the review changed nothing." for number in range(17)),
]


def main(folder: str) -> None:
    model = SentenceTransformer(folder, device="cpu")
    lines = []
    for text in TEXTS:
        ids = model.tokenizer(text, truncation=True, max_length=model.max_seq_length)["input_ids"]
        vector = [round(float(each), 7) for each in model.encode(text)]
        row = {"text": text, "ids": ids, "vector": vector}
        lines.append(json.dumps(row, ensure_ascii=True, separators=(",", ":")))
    TARGET.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="ascii")


if __name__ == "__main__":
    main(sys.argv[1])
