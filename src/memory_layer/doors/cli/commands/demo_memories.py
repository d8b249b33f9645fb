"""What the demo remembers: notes from an invented project, a booking service for ferries called harbour."""

from __future__ import annotations

from memory_layer.model.vocabulary import Category

MEMORIES: tuple[tuple[Category, str], ...] = (
    (
        Category.ARCHITECTURE,
        "The booking API and the price engine are separate services that share nothing but events.",
    ),
    (Category.ARCHITECTURE, "Timetables are read-only inside harbour; the operator's system owns them."),
    (
        Category.ARCHITECTURE,
        "Every payment goes through the ledger service; no other service talks to the bank.",
    ),
    (Category.DECISION, "We chose SQLite for the kiosk terminals because they are offline for hours at sea."),
    (Category.DECISION, "Refunds are asynchronous: customers accept a delay, but never a wrong amount."),
    (Category.DECISION, "Prices are whole cents in integers; floating point once cost us a reconciliation."),
    (Category.CONVENTION, "Python functions and variables are written in snake_case."),
    (Category.CONVENTION, "Every HTTP handler returns problem+json on failure."),
    (Category.CONVENTION, "Branch names start with the ticket number, such as HB-218-late-boarding."),
    (Category.CONVENTION, "A migration never drops a column in the release that stops using it."),
    (Category.PATTERN, "Wrap calls to the timetable feed in the retry decorator with jitter."),
    (Category.PATTERN, "Write the event first and let a worker send the e-mail."),
    (Category.GOTCHA, "The bank's sandbox rejects amounts above 500 euros without saying so."),
    (Category.GOTCHA, "Sailings around midnight belong to the day of departure, not to the day of arrival."),
    (Category.GOTCHA, "The kiosk clock drifts; take the time from the server's response header."),
    (
        Category.TROUBLESHOOTING,
        "The nightly timetable import is slow: raise the number of import workers to 16.",
    ),
    (
        Category.TROUBLESHOOTING,
        "The nightly timetable import is slow when the price index is updated row by row; drop it first.",
    ),
    (
        Category.TROUBLESHOOTING,
        "Connection reset from the price engine means its pool is exhausted; look for a missing close.",
    ),
    (
        Category.TROUBLESHOOTING,
        "Tests that fail only on Mondays use the weekly fare table; freeze the clock.",
    ),
    (Category.WORKAROUND, "Until the feed is fixed, strip the byte order mark from the timetable file."),
    (
        Category.WORKAROUND,
        "Restart the label printer's spooler after a paper jam; its driver forgets the queue.",
    ),
    (Category.COMMAND, "Run the test suite with make check before every push."),
    (Category.COMMAND, "Load a month of fake sailings with python -m harbour.seed --month 2026-07."),
    (Category.ENVIRONMENT, "The booking API listens on port 8080."),
    (Category.ENVIRONMENT, "Staging runs in the Rotterdam region, production in Dublin."),
    (Category.DEPENDENCY, "Stay on version 3 of the barcode library; version 4 cannot read the old tickets."),
    (
        Category.WORKFLOW,
        "To release: tag, wait for the canary kiosk, then roll out to the terminals by harbour.",
    ),
    (
        Category.PITFALL,
        "Do not cache the seat map for longer than a minute; two groups once got the same cabin.",
    ),
    (Category.PREFERENCE, "Small pull requests, each with the reason in its description."),
    (Category.FACT, "A ferry has at most 1,200 passengers and 180 cars."),
)

QUESTION = "why is the nightly timetable import slow"
REPEATED = "Always run the test suite with make check before every push."
CORRECTION = "The booking API listens on port 8081."
PORT_QUESTION = "port of the booking API"
#: Put together here, so that no file of the project holds anything that looks like a key.
FAKE_TOKEN = "gh" + "p_" + "R4nd0mL00k1ngT0k3nThatIsN0tR3al12345"[:36]
SECRET = f"The deploy job logs in with {FAKE_TOKEN} and runs on Tuesdays."
