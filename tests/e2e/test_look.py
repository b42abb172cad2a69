"""How it looks and reads: no screen is wider than its window, axe finds nothing serious, two languages."""

import gzip

import pytest
from axe_playwright_python.sync_playwright import Axe

import tripot
from tripot import words

KINDS = [game.key for game in tripot.found()]
SERIOUS = {"serious", "critical"}


def overflow(page):
    """By how many pixels the page is wider than the window."""
    return page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth")


def faults(page):
    """What axe finds serious, in short."""
    found = Axe().run(page).response["violations"]
    return [
        f"{each['id']}: {node['html'][:160]}"
        for each in found
        if each["impact"] in SERIOUS
        for node in each["nodes"][:4]
    ]


def check(page, shoot, name):
    page.evaluate("() => new Promise(requestAnimationFrame)")
    shoot(page, name)
    assert overflow(page) <= 0, f"{name} is too wide"
    assert faults(page) == [], name


@pytest.mark.parametrize(("width", "height"), [(360, 740), (1440, 900)])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_home_and_rules(width, height, scheme, visitor, shoot):
    ann = visitor(width, height, color_scheme=scheme)
    ann.page.goto("#/")
    ann.page.wait_for_selector(".card:nth-child(4) .picture svg")
    check(ann.page, shoot, f"home-{width}-{scheme}")
    game = tripot.found()[0]
    ann.page.goto(f"#/rules/{game.key}/{list(words.clauses(game))[-1]}")
    ann.page.wait_for_selector("h3.here")
    check(ann.page, shoot, f"rules-{width}-{scheme}")


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_rulebook_with_its_diagrams_fits_a_phone(kind, locale, visitor, shoot):
    """Two boards side by side once stood out of the page, in French alone."""
    ann = visitor(360, 740, locale=locale)
    ann.page.goto(f"#/rules/{kind}")
    ann.page.wait_for_selector("figure svg")
    shoot(ann.page, f"rules-{kind}-360-{locale}")
    assert overflow(ann.page) <= 0


@pytest.mark.parametrize(("width", "height"), [(360, 740), (1440, 900)])
@pytest.mark.parametrize("kind", KINDS)
def test_the_form_and_the_game(kind, width, height, visitor, shoot):
    ann = visitor(width, height, has_touch=width < 500)
    ann.page.goto(f"#/new/{kind}")
    ann.page.wait_for_selector("form")
    ann.page.locator("summary").click()
    check(ann.page, shoot, f"new-{kind}-{width}")
    ann.page.locator("form button.main").click()
    assert ann.await_turn()
    ann.page.wait_for_selector(".board-box svg")
    check(ann.page, shoot, f"first-{kind}-{width}")
    ann.no_tour()
    ann.page.evaluate("() => document.documentElement.dataset.theme = 'dark'")
    check(ann.page, shoot, f"dark-{kind}-{width}")


@pytest.mark.parametrize(("width", "height"), [(1366, 768), (390, 844), (844, 390)])
@pytest.mark.parametrize("kind", KINDS)
def test_the_board_is_wholly_visible(kind, width, height, visitor, shoot):
    ann = visitor(width, height)
    ann.open(kind)
    assert ann.await_turn()
    shoot(ann.page, f"whole-{kind}-{width}")
    box = ann.page.locator(".board-box svg").first.bounding_box()
    assert box["y"] + box["height"] <= height
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    assert overflow(ann.page) <= 0


def test_the_language_follows_the_browser_and_can_be_changed(visitor, shoot):
    ann = visitor(locale="fr-FR")
    ann.page.goto("#/")
    ann.page.get_by_role("link", name="Contre l'ordinateur").first.wait_for()
    shoot(ann.page, "home-fr")
    ann.page.goto(f"#/new/{KINDS[0]}")
    ann.page.locator("form button.main").click()
    ann.page.get_by_text("À vous.").first.wait_for()
    ann.page.get_by_label("Langue").select_option("en")
    ann.page.get_by_text("Your move.").first.wait_for()
    assert ann.page.locator("html").get_attribute("lang") == "en"


def test_the_waiting_room_and_the_invitation(visitor, shoot):
    ann, ben = visitor(360, 740), visitor()
    ann.page.goto(f"#/new/{KINDS[0]}/invite")
    ann.page.locator("form button.main").click()
    ann.page.get_by_label("Invitation link").wait_for()
    check(ann.page, shoot, "waiting-360")
    ben.page.goto(ann.page.url)
    ben.page.get_by_role("button", name="Take a seat", exact=True).wait_for()
    check(ben.page, shoot, "invited-1440")


def test_dialogs(visitor, shoot):
    ann = visitor()
    ann.open(KINDS[0])
    assert ann.await_turn()
    ann.page.get_by_role("button", name="Rules", exact=True).click()
    ann.page.wait_for_selector("dialog h3.here")
    check(ann.page, shoot, "dialog-rules")
    ann.page.keyboard.press("Escape")
    ann.page.get_by_role("button", name="More", exact=True).click()
    check(ann.page, shoot, "dialog-more")


@pytest.mark.parametrize(("width", "height", "scheme"), [(360, 740, "dark"), (1440, 900, "light")])
def test_smaller_dialogs_and_the_analysis(width, height, scheme, visitor, shoot):
    """After a move and its answer: whoever resigns at once may leave nothing to be analysed."""
    ann = visitor(width, height, color_scheme=scheme)
    page = ann.page
    ann.open(KINDS[-1], calm=True)
    assert ann.await_turn()
    ann.move()
    assert ann.await_turn()
    page.get_by_role("button", name="Your name: ").click()
    check(page, shoot, f"dialog-name-{width}")
    page.keyboard.press("Escape")
    for button in ("Share links", "Keys", "Resign"):
        page.get_by_role("button", name="More", exact=True).click()
        page.get_by_role("dialog").get_by_role("button", name=button, exact=True).click()
        check(page, shoot, f"dialog-{button.split()[0].lower()}-{width}")
        if button != "Resign":
            page.keyboard.press("Escape")
    page.get_by_role("dialog").get_by_role("button", name="Resign", exact=True).click()
    page.get_by_role("button", name="Analyse", exact=True).click()
    page.locator(".analysis:not(:has(progress))").wait_for(timeout=ann.THINKING)
    check(page, shoot, f"analysis-{width}-{scheme}")


def test_an_address_that_leads_nowhere_says_so(visitor):
    ann = visitor()
    ann.page.goto("#/g/0123456789abcdef")
    ann.page.get_by_text("There is no such game").wait_for()
    ann.page.goto("#/nowhere")
    ann.page.get_by_text("There is nothing here").wait_for()


def test_the_first_screen_is_small(visitor):
    """Under 150 kB of compressed JavaScript: whatever is loaded until all four pictures are there."""
    ann, loaded = visitor(), {}
    ann.page.on("requestfinished", lambda request: loaded.update({request.url: request}))
    ann.page.goto("#/")
    ann.page.wait_for_selector(".card:nth-child(4) .picture svg")
    ann.page.wait_for_load_state("networkidle")
    asked = [each for each in loaded.values() if each.url.endswith(".js")]
    scripts = {each.url: len(gzip.compress(each.response().body())) for each in asked}
    assert scripts
    assert sum(scripts.values()) < 150_000
    assert not any("//127.0.0.1" not in address for address in scripts), "nothing comes from other hosts"
