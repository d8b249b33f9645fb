"""A Chromium for the tests of the page is found where there is one, and its absence is said in a sentence."""

from __future__ import annotations

from npm import browser


def test_a_named_browser_goes_before_the_one_of_the_machine(monkeypatch, tmp_path):
    monkeypatch.setenv(browser.VARIABLE, str(tmp_path / "own"))

    assert browser.find() == browser.Browser(tmp_path / "own")


def test_an_unpacked_browser_brings_its_libraries_and_fonts(tmp_path):
    environment = browser.Browser(tmp_path / "chromium", tmp_path / "libraries").environment

    assert environment["LD_LIBRARY_PATH"] == str(tmp_path / "libraries" / "lib")
    assert environment["FONTCONFIG_PATH"] == str(tmp_path / "fonts")


def test_only_a_continuous_integration_must_have_a_browser(monkeypatch, capsys):
    monkeypatch.setattr(browser, "install", lambda: None)
    monkeypatch.setenv("CI", "")
    alone = browser.main(["install"])
    monkeypatch.setenv("CI", "true")

    assert (alone, browser.main(["install"])) == (0, 1)
    assert "apt-get install chromium" in capsys.readouterr().err
