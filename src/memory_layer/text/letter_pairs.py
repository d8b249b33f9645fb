"""How a pair of letters in a word moves its number of tokens, fitted to what a real tokenizer makes of words.

Usual pairs of English hardly add any; pairs of other languages and of made-up names add more. `bench/tokens.py` says
how well it does; the words it was fitted to came from English prose, code in twelve languages and prose in forty.
"""

from __future__ import annotations

from functools import cache

#: The first letter of a pair is the row, the second the column. ~ is an accented letter of western Europe or
#: Vietnam, % another one of Latin script, ^ the edge of the word.
_LETTERS = "abcdefghijklmnopqrstuvwxyz~%^"
#: A is -0.30 of a token, and each further letter 0.05 more.
_ROWS = (
    "OLIKLPKPKLLILKLMHJNILMLFLNFQI",  # a
    "MNOOKMKNLAJFIIIKIMEILKGKLHPQK",  # b
    "JMJKINLIJIIHJNGLGHNFIHHJKLNLI",  # c
    "KPJJKMHNKIJJGLLEHNLPLMKGONQSA",  # d
    "HLHINLNMMOONLKOKFIJMLJIJOPLMD",  # e
    "HMOOMGGFGGJKIOMHJLPIMHGHJGNRF",  # f
    "NKKNIIKDLHOKHIKLHKRPLHKIRHPTC",  # g
    "MGKHKIHIMOMLIIKGGLJJLQKHLFSQC",  # h
    "JJGLLNLQSKOLMIBLINMISFPHRJJPK",  # i
    "OHMFPGGGMHCLJJOHGIOOMJMGGEOMH",  # j
    "NIKJLLFHOLJMOJPHGOMMNRFHTHQQF",  # k
    "KHLMLJNMKLMLLQLIHIPMLIHHHIQMC",  # l
    "JHKNHLJKKJONJJIEIGNPKOHHQJNQF",  # m
    "LODJMIHJNKNKKMMRKLHFNKGHTMNQE",  # n
    "MMKMOFLONKMKLIHKHGLNGKIJHUJNG",  # o
    "MGKGILIINIJIGJLHGIKJLJGGPGOPF",  # p
    "JHHIHGHGHGHIHHGGIGIGJHHGHGGGM",  # q
    "KJKMJKFLLPLLGHKLJLGINNJGJNPPC",  # r
    "NKIKKGQIMMPNPNKJJMHJLSHGKRROC",  # s
    "MJMKKKMDJMLLNPJHGIMLMQMJLIOME",  # t
    "HLIPILOOKRLHLMOJHJNKPOIFOONOK",  # u
    "NJLKJIHKLILNMQLHGLNLPHFHTHPPL",  # v
    "MIGILHGFNGHILGKJGKIHLGHHQJHJC",  # w
    "HGEHLHHFIGGGKHJFGHHIHHGHHGJGL",  # x
    "KPOOPOQRIIRNOKNLHOKPOLLHMIMQA",  # y
    "MKILKHNLMLKILONFGIKLKLKGNKNRJ",  # z
    "LKKQQJTPJNQPOMEOIQSQHMOIIVNVL",  # ~
    "SWRWTSZRXNXVSSXXLUZWUYKLRVZZS",  # %
    "FDECGFGFFEFFFIHEIDDFGGDLGKMOG",  # ^
)

#: In hundredths of a token, too.
WORD = 51  #: what every word begins with
AFTER_A_MARK = 18  #: more for one with no space before it


@cache
def pairs() -> dict[str, int]:
    """What every pair of letters adds to a word, in hundredths of a token."""
    return {
        first + second: 5 * (ord(level) - ord("A")) - 30
        for first, row in zip(_LETTERS, _ROWS, strict=True)
        for second, level in zip(_LETTERS, row, strict=True)
    }
