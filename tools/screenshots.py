"""Take the pictures of the page in docs/images: the middle of a game of each kind, on a desktop screen.

    .venv/bin/python -m tools.screenshots

The server is seeded and its engines count simulations, so that the same moves are played every time. A
picture has 256 colours, which is a third of the size of one with all of them.
"""

from __future__ import annotations

import base64
import shutil
import struct
import tempfile
import zlib
from pathlib import Path

import numpy as np
from bench._server_process import Server
from numpy.typing import NDArray
from playwright.sync_api import Page, sync_playwright
from tests.e2e.conftest import BROWSERS, REPRODUCIBLE
from tests.e2e.page_user import PageUser

import tripot

IMAGES = Path(__file__).parents[1] / "docs" / "images"
SIZE = (1440, 900)
MOVES = {"triggery": 7, "trigon": 11, "triolet": 6, "trippples": 5}  # of the user; other games have as few
LEVEL = 3
COLOURS = 256
ROUNDS = 6  # of moving every colour of the palette to the mean of those that it stands for
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking")
# The browser decodes its own picture.
PIXELS = """async (picture) => {
  const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${picture}`)).blob());
  const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  let text = "";
  for (let at = 0; at < data.length; at += 4096) text += String.fromCharCode(...data.subarray(at, at + 4096));
  return btoa(text);
}"""


def main() -> None:
    """Take all pictures."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        raise SystemExit("there is no Chromium: `apt-get install chromium`")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder), **REPRODUCIBLE)
        chromium = playwright.chromium.launch(executable_path=browser, args=FLAGS)
        try:
            for game in tripot.list_games():
                page = chromium.new_page(
                    base_url=f"{server.url}/",
                    viewport={"width": SIZE[0], "height": SIZE[1]},
                    reduced_motion="reduce",
                )
                play(PageUser(page), game.key)
                picture = page.screenshot()
                page.goto("about:blank")  # the page itself may not fetch `data:`
                (IMAGES / f"page-{game.key}.png").write_bytes(indexed_png(pixels(page, picture)))
                page.context.close()
        finally:
            chromium.close()
            server.stop()


def play(user: PageUser, kind: str) -> None:
    """Open a game against the computer, and play to its middle."""
    players = max(2, tripot.get_game(kind).Options().players)
    bots = [{"kind": "bot", "level": LEVEL}] * (players - 1)
    user.open_by_api(game_key=kind, options={"players": str(players)}, seats=[{"kind": "me"}, *bots])
    for _ in range(MOVES.get(kind, min(MOVES.values()))):
        if not user.await_turn():
            raise SystemExit(f"{kind} ended before its middle: make fewer moves")
        user.move()
    user.await_turn()
    user.page.mouse.move(0, 0)


def pixels(page: Page, picture: bytes) -> NDArray[np.uint8]:
    """The red, green and blue of every pixel, by row and column."""
    data = base64.b64decode(page.evaluate(PIXELS, base64.b64encode(picture).decode()))
    return np.frombuffer(data, np.uint8).reshape(SIZE[1], SIZE[0], 4)[:, :, :3]


def indexed_png(image: NDArray[np.uint8]) -> bytes:
    """A PNG with a palette: colours are moved to the nearest of 256 by k-means, without dithering."""
    height, width, _ = image.shape
    found, places, counts = np.unique(image.reshape(-1, 3), axis=0, return_inverse=True, return_counts=True)
    weights = np.sqrt(counts)[:, None]  # small areas, such as text, count for more than their share
    coarse = found // 12 @ np.array([1024, 32, 1])
    _, cells = np.unique(coarse, return_inverse=True)
    sums = np.zeros((cells.max() + 1, 4))
    np.add.at(sums, cells, np.hstack([found * weights, weights]))
    palette = (sums[:, :3] / sums[:, 3:])[np.argsort(-sums[:, 3])[:COLOURS]]
    for _ in range(ROUNDS):
        nearest = _nearest(found, palette)
        sums = np.zeros((len(palette), 4))
        np.add.at(sums, nearest, np.hstack([found * weights, weights]))
        used = sums[:, 3] > 0
        palette[used] = sums[used, :3] / sums[used, 3:]
    palette = palette.round()
    rows = _nearest(found, palette).astype(np.uint8)[places.reshape(-1)].reshape(height, width)
    lines = np.hstack([np.zeros((height, 1), np.uint8), rows])  # each with the filter "none"
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    chunks = (
        (b"IHDR", header),
        (b"PLTE", palette.astype(np.uint8).tobytes()),
        (b"IDAT", zlib.compress(lines.tobytes(), 9)),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in chunks
    )


def _nearest(found: NDArray[np.uint8], palette: NDArray[np.float64]) -> NDArray[np.intp]:
    """For each colour the index of the nearest one of the palette."""
    colours = found.astype(np.float64)
    squares = (palette**2).sum(axis=1)
    nearest: NDArray[np.intp] = np.argmin(squares - 2 * colours @ palette.T, axis=1)
    return nearest


if __name__ == "__main__":
    main()
