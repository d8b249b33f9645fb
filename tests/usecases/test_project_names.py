"""The names of projects and folders are stored without secrets, and an ordinary one is checked quickly."""

from __future__ import annotations

import subprocess
import sys

import pytest

from memory_layer.text.secrets.redact import redact
from memory_layer.usecases.who.projects import clean_name

TOKEN = "ghp_" + "a1B2" * 9


@pytest.mark.parametrize(
    "name",
    [
        "/home/ann/code/shop",
        "/home/ann/a-long-name-of-many-words",
        "/home/ann/password=Tr0ub4dor&3x/shop",
        f"/home/ann/{TOKEN}/shop",
        f"/{TOKEN}",
        f"example.com/{TOKEN}/shop",
        "https://ann:Tr0ub4dor&3x@example.com/shop",
    ],
)
def test_a_path_is_redacted_like_any_other_text(name):
    assert clean_name(name) == redact(name).text


def test_a_folder_that_is_named_like_a_secret_is_not_kept():
    assert TOKEN not in clean_name(f"/home/ann/{TOKEN}")


def test_a_path_of_ordinary_folders_loads_no_tables_of_secrets():
    code = "import sys; from memory_layer.usecases.who.projects import clean_name; clean_name('/home/ann/code/shop')"
    code += "; print('memory_layer.text.secrets.find' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)

    assert done.stdout == "False\n"
