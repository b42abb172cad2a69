"""How somebody plays Trigon by clicking."""


def move(page, legal):
    """Take the largest piece that fits, and place it where it snaps."""
    page.locator(".tray button:not([disabled]):not(.idle)").last.click()
    page.locator(".tools .main").click()
