"""The 3D page in a real browser: Chromium without a window, with WebGL in software.

`make browser` runs it. The pages are written by `mbfmu view`; what they show is read from the page's own hook
`window.mbfmu` and from its pictures.
"""

import io
import math
import pathlib
import re
import shutil
import subprocess
import zipfile

import pytest

playwright = pytest.importorskip("playwright.sync_api")

CHROMIUM = next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), None)
FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
MODELS = pathlib.Path(__file__).resolve().parents[2] / "fmus"
LAYERS = ["frames", "joints", "cuts", "labels", "plot", "contacts", "wireframe", "orthographic"]


@pytest.fixture(scope="module")
def browser():
    if CHROMIUM is None:
        pytest.skip("no Chromium")
    with playwright.sync_playwright() as play:
        started = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield started
        started.close()


@pytest.fixture
def shown(browser, mbfmu, tmp_path):
    """Opens the page of a model; fails when the page complains."""
    complaints = []

    def show(model, *arguments, fragment="t=0"):
        path = tmp_path / f"{model}.html"
        subprocess.run([mbfmu, "view", MODELS / model, "-o", path, *arguments], check=True, capture_output=True)
        page = browser.new_page(viewport={"width": 1000, "height": 700})
        page.on("console", lambda message: message.type == "error" and complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(f"file://{path}#{fragment}")
        page.wait_for_function("document.documentElement.dataset.ready === 'true'")
        return page

    yield show
    assert not complaints


def picture(page):
    return page.screenshot()


def test_contacts_are_drawn_where_the_model_has_them(shown):
    page = shown("BlockOverEdge", fragment="t=0.1")
    [contact] = page.evaluate("mbfmu.contacts")
    assert contact["pair"] == "table, block"
    assert contact["force"][2] > 0
    assert len(contact["rim"]) >= 3, "a face on a face has a polygon"
    at = page.evaluate("mbfmu.pose('block')")
    assert all(abs(corner[0] - at[0]) < 0.1 for corner in contact["rim"])
    page.evaluate("mbfmu.seek(0.5)")
    assert page.evaluate("mbfmu.contacts") == [], "it has fallen off"


def test_contact_hinges_are_drawn_as_the_polygon_of_their_supports(shown):
    page = shown("BlockOverEdgeRigid", fragment="t=0.02")
    [contact] = page.evaluate("mbfmu.contacts")
    assert contact["pair"] == "table, block"
    assert contact["force"][2] > 0
    assert len(contact["rim"]) >= 3
    page.evaluate("mbfmu.seek(0.2)")
    [contact] = page.evaluate("mbfmu.contacts")
    assert len(contact["rim"]) == 2, "it tips over the edge"


def test_springs_end_at_the_points_they_connect(shown):
    page = shown("Mobile", fragment="t=0")
    tracks = page.evaluate("mbfmu.tracks")
    assert {track["kind"] for track in tracks} >= {"revolute", "cut_force"}
    page = shown("ForceGallery", fragment="t=0.4")
    kinds = {track["kind"] for track in page.evaluate("mbfmu.tracks")}
    assert kinds & {"spring", "spring_damper", "damper"}, kinds
    assert kinds & {"force", "torque"}, kinds


def test_every_switch_changes_the_picture_and_gives_it_back(shown):
    page = shown("DoubleWishbone", fragment="t=0.5")
    for layer in [*LAYERS, "springs", "forces", "grid", "shadows"]:
        before = picture(page)
        switch = page.locator(f'[data-toggle="{layer}"]')
        if switch.is_disabled():
            continue
        switch.click()
        page.mouse.move(300, 300)
        page.wait_for_timeout(120)
        changed = picture(page)
        switch.click()
        page.mouse.move(300, 300)
        page.wait_for_timeout(120)
        # A model without shapes that collide shows the same with them.
        assert layer == "contacts" or changed != before, f"{layer} shows nothing"


def test_sides_and_sections(shown):
    page = shown("YouBotBoxGrip", fragment="t=3")
    pictures = []
    for view in ["free", "front", "back", "left", "right", "top", "bottom"]:
        page.locator("#view-from").select_option(view)
        page.wait_for_timeout(120)
        pictures.append(picture(page))
    assert len(set(pictures)) == len(pictures)
    whole = picture(page)
    page.locator("#section-axis").select_option("z")
    page.wait_for_timeout(120)
    assert picture(page) != whole


def test_the_curves_of_the_followed_body_are_shown_and_lead_to_their_times(shown):
    page = shown("Billiards16", "--stop", "1", fragment="t=0&plot=1&follow=ball3")
    assert page.locator("#plot select option").first.inner_text().startswith("ball3.")
    chart = page.locator("#plot .u-over").bounding_box()
    page.mouse.click(chart["x"] + 0.5 * chart["width"], chart["y"] + 0.5 * chart["height"])
    page.wait_for_timeout(120)
    assert page.evaluate("mbfmu.time") == pytest.approx(0.5, abs=0.02)


def test_several_paths_and_a_ghost(shown):
    page = shown("Pendulum", "--stop", "1", "--ghost-set", "L=0.6", fragment="t=0.5")
    names = page.evaluate("mbfmu.names")
    ghosts = [name for name in names if name.startswith("ghost of ")]
    assert ghosts
    own = ghosts[0].removeprefix("ghost of ")
    assert page.evaluate(f"mbfmu.pose('{own}')") != page.evaluate(f"mbfmu.pose('{ghosts[0]}')")
    before = picture(page)
    for button in page.locator("#bodies .path").all():
        button.click()
    page.mouse.move(300, 300)
    page.wait_for_timeout(120)
    assert picture(page) != before


def test_pictures_and_films_are_saved(shown, tmp_path):
    page = shown("BlockOverEdge", "--stop", "0.3", fragment="t=0.1")
    with page.expect_download() as single:
        page.locator("#save-png").click()
    assert single.value.path().read_bytes().startswith(b"\x89PNG")
    with page.expect_download() as all_frames:
        page.locator("#save-frames").click()
    with zipfile.ZipFile(io.BytesIO(all_frames.value.path().read_bytes())) as archive:
        names = archive.namelist()
        assert len(names) == 10 and names[0] == "BlockOverEdge_00000.png"
        assert len({archive.read(name) for name in names}) > 5
    page.locator("#speed").select_option("0.2")
    with page.expect_download(timeout=60_000) as film:
        page.locator("#save-film").click()
    data = film.value.path().read_bytes()
    assert data.startswith(b"\x1a\x45\xdf\xa3") and len(data) > 2000, "a WebM begins so"
    page.wait_for_timeout(120)
    assert page.locator("#save-film").inner_text() == "Film"


@pytest.fixture
def live(browser, mbfmu):
    """Opens the live page of a model; fails when the page complains."""
    complaints, running = [], []

    def show(model, *arguments):
        process = subprocess.Popen(
            [mbfmu, "view", MODELS / model, "--live", *arguments], stdout=subprocess.PIPE, text=True
        )
        running.append(process)
        address = re.search(r"http://\S+", process.stdout.readline()).group()
        page = browser.new_page(viewport={"width": 1000, "height": 700})
        page.on("console", lambda message: message.type == "error" and complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(address)
        page.wait_for_function("document.documentElement.dataset.ready === 'true'")
        return page

    yield show
    for process in running:
        process.terminate()
        assert process.wait(20) == 0
    assert not complaints


def until(page, condition):
    """Waits for a condition; the page does not allow the browser's own way, which evaluates text in it."""
    for _ in range(600):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"{condition} did not come true: {page.evaluate('mbfmu.live')}")


def reach(page, time):
    until(page, f"mbfmu.live.time >= {time}")


def test_a_live_run_goes_on_pauses_and_starts_over(live):
    page = live("Dominoes")
    reach(page, 1)
    page.keyboard.press(" ")
    page.wait_for_timeout(500)
    reached = page.evaluate("mbfmu.live")
    page.wait_for_timeout(500)
    assert page.evaluate("mbfmu.live") == reached
    assert len(page.evaluate("mbfmu.contacts")) >= 20, "they stand on the table"
    page.keyboard.press("ArrowRight")
    until(page, f"mbfmu.live.pictures > {reached['pictures']}")
    page.evaluate("mbfmu.seek(0)")
    assert page.evaluate("mbfmu.time") == 0
    page.keyboard.press("Backspace")
    until(page, f"mbfmu.live.running && mbfmu.live.pictures < {reached['pictures'] // 2}")


def test_a_body_follows_the_mouse_and_falls_back(live):
    page = live("DoublePendulum")
    page.evaluate("mbfmu.pause()")
    page.wait_for_timeout(300)
    x, y = page.evaluate("mbfmu.place('rod1')")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 70, y - 40, steps=4)
    reach(page, page.evaluate("mbfmu.live.time") + 3)
    held = page.evaluate("mbfmu.place('rod1')")
    # Gravity keeps it from the mouse, more or less so where the second rod hangs on one side or the other.
    assert math.dist(held, (x - 70, y - 40)) < 0.75 * math.hypot(70, 40), (held, x, y)
    page.mouse.up()
    until(page, f"Math.hypot(mbfmu.place('rod1')[0] - {held[0]}, mbfmu.place('rod1')[1] - {held[1]}) > 30")


def test_sliders_set_inputs_and_parameters_of_the_run(live):
    page = live("SpringMass")
    force, stiffness = (page.get_by_label(name, exact=True).and_(page.locator("[type=number]")) for name in ["f / N", "k / N/m"])
    force.fill("50")
    force.press("Enter")
    damping = page.get_by_label("d / N.s/m", exact=True).and_(page.locator("[type=number]"))
    damping.fill("20")
    damping.press("Enter")
    now = page.evaluate("mbfmu.live.time")
    reach(page, now + 3)
    rest = page.evaluate("mbfmu.pose('slider')[0]")
    stiffness.fill("400")
    stiffness.press("Enter")
    reach(page, now + 6)
    stiffer = page.evaluate("mbfmu.pose('slider')[0]")
    assert abs((rest - stiffer) - (50 / 100 - 50 / 400)) < 1e-3, (rest, stiffer)
    slider = page.get_by_label("k", exact=True).and_(page.locator("[type=range]"))
    least = slider.get_attribute("min")
    stiffness.fill("-5")
    stiffness.press("Enter")
    until(page, "mbfmu.live.note.includes('range')")
    assert page.evaluate("mbfmu.live.running") is False
    assert stiffness.input_value() == "400", "the value that is in force"
    assert slider.get_attribute("min") == least, "no slider leads to what was refused"
    stiffness.fill("300")
    stiffness.press("Enter")
    until(page, "mbfmu.live.note === ''")
