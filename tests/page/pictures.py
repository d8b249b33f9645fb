"""Take the pictures of the documentation: `python -m tests.page.pictures`.

Each view of a store of a realistic project, light and dark, on a desk and on a phone, as WebP that the browser writes.
"""

from __future__ import annotations

import base64
import os
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, Route, sync_playwright

from docs.story.seed import Places, seed
from memory_layer.settings import load
from npm import browser as chromium
from tests.page.kit import DESK, PHONE, VIEWS, log_in, tab
from tests.page.served_page import ServedPage, served_page

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "pictures"
STORY_VARIABLE = "MEM_TEST_STORY"
THEMES = ("light", "dark")
WITH_FOLDERS = tuple(
    f"**/api/{name}**" for name in "health settings tasks overview projects memories".split()
)
SIZES = {"": DESK, "-phone": PHONE}
HOME = "/home/lena"  #: shown in place of the folders of whoever takes the pictures
LOADS_MS = 2500  #: in which a view has its data, also the model's first answer
SETTLES_MS = 700  #: in which a chart or the map is drawn in another width
TO_WEBP = """async (png) => {
  const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [image.width, image.height];
  canvas.getContext('2d').drawImage(image, 0, 0);
  return canvas.toDataURL('image/webp', 0.72).split(',')[1];
}"""


def take(folder: Path = FOLDER) -> int:
    """Take all pictures; return their size in bytes."""
    found = chromium.install()
    if found is None:
        raise SystemExit(chromium.MISSING)
    model = load().model_folder
    folder.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="mem-pictures-") as scratch:
        kept = os.environ.get(STORY_VARIABLE)
        places = Places.below(Path(kept)) if kept else seed(Path(scratch), model)
        with (
            served_page(places.home, places.root, model, person=places.person) as server,
            sync_playwright() as playwright,
        ):
            browser = playwright.chromium.launch(
                executable_path=str(found.program), args=chromium.FLAGS, env={**found.environment}
            )
            state = log_in(browser, server)
            addresses = _addresses(server)
            writer = browser.new_page()
            for theme in THEMES:
                with tab(browser, server, state, color_scheme=theme) as shown:
                    for path in WITH_FOLDERS:
                        shown.context.route(path, lambda route: _at_home(route, places))
                    for name, address in addresses.items():
                        shown.open(address)
                        shown.page.wait_for_timeout(LOADS_MS)
                        for suffix, size in SIZES.items():
                            shown.page.set_viewport_size(size)
                            shown.page.wait_for_timeout(SETTLES_MS)
                            file = folder / f"{name}{suffix}-{theme}.webp"
                            file.write_bytes(_webp(writer, shown.page.screenshot()))
                        shown.page.set_viewport_size(DESK)
            browser.close()
    return sum(each.stat().st_size for each in folder.glob("*.webp"))


def _addresses(server: ServedPage) -> dict[str, str]:
    """Return the addresses of the views, of a memory, and of a contradiction, by the names of their pictures."""
    best = server.mem("list", "--sort", "score", "--limit", "1")["items"][0]["id"]
    pair = server.mem("review", "--kind", "conflict")["items"][-1]
    views = {heading.lower(): address for heading, address in VIEWS.items()}
    return views | {
        "memories": f"/memories?sort=-score&open={best}",
        "memory": f"/memories/{best}",
        "search-side-by-side": f"{VIEWS['Search']}&show=side",
        "review": f"/review/conflict/{pair['memory']['id']}~{pair['other']['id']}",
    }


def _at_home(route: Route, places: Places) -> None:
    """Answer as the server does, without the folders of this machine."""
    answer = route.fetch()
    text = answer.text()
    for folder in (places.person, places.root.parent, Path.home()):
        text = text.replace(str(folder), HOME)
    route.fulfill(response=answer, body=text)


def _webp(writer: Page, png: bytes) -> bytes:
    return base64.b64decode(writer.evaluate(TO_WEBP, base64.b64encode(png).decode()))


def main() -> int:
    """Take the pictures and say how large they are."""
    sys.stdout.write(f"{take():,} bytes of pictures in {FOLDER.relative_to(Path.cwd())}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
