"""Words that say little, and words that are written in several ways."""

from __future__ import annotations

from memory_layer.text.porter import stem

_STOP_WORDS = """
    a about am an and are aren as at be been being but by can could couldn d did didn do does doesn don for
    from had hadn has hasn have haven he her him his how i if in into is isn it its just ll m me my no not of
    on or our re s she should shouldn so such t that the their them then there these they this to too us ve
    very was wasn we were what when where which who why will with won would wouldn you your
"""
#: Left out of every index and query. Words such as "before" or "all" must stay searchable.
STOP_WORDS = frozenset(_STOP_WORDS.split())

_FILLERS = """
    all also always any currently each ensure every go goes keep let make may must need note now please prefer
    remember require shall still sure use using via
"""
#: Stems of emphasis and connecting words: a memory can have more or fewer of them and say the same.
FILLERS = frozenset(map(stem, _FILLERS.split()))

NUMBER_WORDS = {
    "zero": "0", "one": "1", "once": "1", "two": "2", "twice": "2", "three": "3", "four": "4", "five": "5",
    "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10", "eleven": "11", "twelve": "12",
    "dozen": "12", "fifteen": "15", "twenty": "20", "thirty": "30", "forty": "40", "fifty": "50",
    "sixty": "60", "ninety": "90", "hundred": "100", "thousand": "1000", "million": "1000000",
}  # fmt: skip

_SPELLINGS = """
    application=app=apps authentication=auth authorization=authz configuration=config=configs=conf
    database=db=dbs dependency=dep=deps development=dev directory=dir=folder documentation=doc=docs
    environment=env function=func=fn information=info javascript=js kubernetes=k8s library=lib maximum=max
    message=msg minimum=min minute=mins mongodb=mongo nodejs=node outdated=stale package=pkg
    parameter=param=argument=arg postgres=postgresql=psql production=prod python=py repository=repo
    run=execute second=sec=secs specification=spec temporary=tmp=temp typescript=ts variable=var=vars
"""

#: One form for words that are written in several ways; all of them stems.
ALIASES = {stem(word): number for word, number in NUMBER_WORDS.items()} | {
    stem(spelling): stem(line.split("=")[0])
    for line in _SPELLINGS.split()
    for spelling in line.split("=")[1:]
}
