package io.waybill.browser;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.util.ArrayList;
import java.util.List;

/** A pause, a plan and a run by the keyboard alone. */
final class KeyboardTour {
  private static final int MOST_TABS = 80;
  // Its text, or the name of its field; and whether somebody sees that it has the focus.
  private static final String FOCUSED =
      """
      (() => {
        const it = document.activeElement, style = getComputedStyle(it), box = it.getBoundingClientRect();
        const seen = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2
            && box.width > 0 && box.bottom > 0 && box.top < innerHeight;
        return [it.tagName === 'BUTTON' || it.tagName === 'A' ? it.innerText.trim() : it.name || it.tagName, String(seen)];
      })()""";

  private final Chromium chromium;
  private final Night night;
  private final List<String> findings = new ArrayList<>();

  KeyboardTour(Chromium chromium, Night night) {
    this.chromium = chromium;
    this.night = night;
  }

  /** What does not hold, one line each. */
  List<String> run() throws Exception {
    try (Person person = night.enter(chromium, 1280, ColorScheme.LIGHT)) {
      person.open("destination?name=audit");
      reason(person, "a test of the keyboard");
      press(person, "Pause");
      person.see("Resume it");
      reason(person, "the end of the test");
      press(person, "Resume");
      person.see("Pause it");

      night.insertPoison("keyboard");
      person.open("overview");
      person.see(person.box("of type placed parked"), "Cause");
      person.open("failures");
      press(person, "Look and retry");
      person.see("Which events");
      press(person, "Plan it");
      person.see("This is a plan");
      reason(person, "once more");
      press(person, "Run");
      person.see("Started by");
    }
    return findings;
  }

  private void reason(Person person, String text) {
    tabTo(person, "reason");
    person.page().keyboard().type(text);
  }

  private void press(Person person, String name) {
    tabTo(person, name);
    person.page().keyboard().press("Enter");
  }

  private void tabTo(Person person, String name) {
    Page page = person.page();
    for (int i = 0; i < MOST_TABS; i++) {
      page.keyboard().press("Tab");
      List<?> focused = (List<?>) page.evaluate(FOCUSED);
      String text = String.valueOf(focused.get(0));
      if (!"true".equals(focused.get(1)) && !text.equals("BODY")) {
        findings.add("the focus at '" + text + "' is not seen: " + page.url());
      }
      if (text.equals(name) || text.matches("(?s)" + name + "\\s.*")) {
        return;
      }
    }
    throw new IllegalStateException("no way by the keyboard to '" + name + "' at " + page.url());
  }
}
