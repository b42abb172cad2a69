"""How somebody plays Triggery by clicking."""


def move(page, legal):
    """Turn the first tile that the budget pays for, or end the turn."""
    cells = page.locator(".cell.open")
    if cells.count():
        cells.first.click()
    else:
        page.locator(".acts .button.main").click()
