"""Controls the browser. The functions wait for conditions, not for fixed times."""

import shutil

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException, TimeoutException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

# The maximum time to wait for a condition, also on a loaded machine. Only failing tests wait that long.
PATIENCE = 30


def make_driver():
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for word in [
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--window-size=1280,900",
    ]:
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(
        options=options, service=Service(shutil.which("chromedriver"))
    )


class Page:
    def __init__(self, driver):
        self.driver = driver

    # Navigation

    def open(self, address, fragment="#/0/entities"):
        """Loads the page again. An address with another fragment would only change the view."""
        self.driver.get("about:blank")
        self.driver.get_log("browser")
        self.driver.get(address + fragment)
        return self

    def go(self, fragment):
        """Changes the view, as a link does, without loading the page again."""
        self.driver.execute_script("location.hash = arguments[0]", fragment)

    def open_second(self, address, fragment):
        """Opens another tab, in which a test can wait for a change."""
        self.first = self.driver.current_window_handle
        self.driver.switch_to.new_window("tab")
        self.driver.get(address + fragment)

    def close_second(self):
        self.driver.close()
        self.driver.switch_to.window(self.first)

    def leave(self):
        self.log = self.driver.get_log("browser")
        self.driver.get("about:blank")

    def complaints(self):
        """Returns the messages of the console.

        The browser's messages about rejected requests are omitted, because the page shows these errors.
        """
        return [
            one["message"]
            for one in self.log
            if "favicon" not in one["message"]
            and "Failed to load resource" not in one["message"]
        ]

    @property
    def fragment(self):
        return self.driver.execute_script("return location.hash")

    # Queries

    def wait(self, condition, what):
        def tried(_):
            try:
                return condition()
            except StaleElementReferenceException:
                return None

        try:
            return WebDriverWait(self.driver, PATIENCE, poll_frequency=0.03).until(
                tried
            )
        except TimeoutException:
            raise AssertionError(what() if callable(what) else what) from None

    def all(self, css):
        return [
            one
            for one in self.driver.find_elements(By.CSS_SELECTOR, css)
            if one.is_displayed()
        ]

    def texts(self, css):
        """Returns the texts of the visible elements, in one step, so that no element disappears in between."""
        return self.driver.execute_script(
            "return [...document.querySelectorAll(arguments[0])].filter(e => e.checkVisibility()).map(e => e.innerText.trim())",
            css,
        )

    def find(self, css, text=None):
        """Waits for the first visible element that contains a text."""

        def found():
            return next(
                (one for one in self.all(css) if text is None or text in one.text), None
            )

        return self.wait(
            found, lambda: f"{css} {text or ''}; there is: {self.texts('main')}"
        )

    def wait_texts(self, css, expected):
        self.wait(
            lambda: self.texts(css) == expected,
            lambda: f"{css}: {self.texts(css)} is not {expected}",
        )

    def gone(self, css):
        self.wait(lambda: not self.all(css), lambda: f"{css} stays: {self.texts(css)}")

    def value(self, css):
        return self.find(css).get_property("value")

    def focused(self):
        return self.driver.switch_to.active_element

    # Actions

    def click(self, css, text=None):
        """Clicks an element. If the view is drawn again, searches for the element again."""
        self.wait(lambda: self.find(css, text).click() or True, f"{css} {text or ''} is not clicked")

    def type(self, css, *keys, over=False):
        field = self.find(css)
        if over:
            field.send_keys(Keys.CONTROL, "a")
        field.send_keys(*keys)
        return field

    def change_these(self, name, text):
        """Sets a property in the dialog that changes all rows of a view, up to the dry run."""
        self.click("button", "Change these")
        self.choose(self.find(".dialog select"), name)
        self.click(".dialog button", "Add")
        self.find(".dialog .variable-input :is(input, textarea)").send_keys(text)
        self.click(".dialog button", "Continue")

    def press(self, *keys):
        ActionChains(self.driver).send_keys(*keys).perform()

    def chord(self, held, key):
        ActionChains(self.driver).key_down(held).send_keys(key).key_up(held).perform()

    def choose(self, element, text):
        self.driver.execute_script(
            "const [s, t] = arguments; s.value = [...s.options].find(o => o.textContent === t).value;"
            "s.dispatchEvent(new Event('change', { bubbles: true }))",
            element,
            text,
        )
