"""Setting a key of the configuration file."""

from __future__ import annotations

import pytest

from memory_layer.errors import InvalidInput
from memory_layer.usecases.who.confirm import configure
from tests.planted import PLANTED


def test_a_value_is_set(tmp_path):
    configure(tmp_path / "config.toml", "writer", "robot")

    assert (tmp_path / "config.toml").read_text() == 'writer = "robot"\n'


@pytest.mark.parametrize("kind", ["github-token", "password"])
def test_a_value_with_a_secret_is_refused_by_its_kind_and_nothing_is_written(tmp_path, kind):
    text, secret = PLANTED[kind]

    with pytest.raises(InvalidInput, match=kind) as refused:
        configure(tmp_path / "config.toml", "writer", text)

    assert secret not in str(refused.value)
    assert not (tmp_path / "config.toml").exists()
