package io.waybill.console.internal.keys;

import io.waybill.console.internal.layout.Page;
import io.waybill.console.internal.layout.View;
import io.waybill.console.internal.layout.Visit;
import io.waybill.spring.internal.api.Answers;

/** Keys that do not flow: the first event of each, and what waits behind it. */
public final class KeysPage implements Page {
  /** For the console. */
  public KeysPage() {}

  @Override
  public String path() {
    return "keys";
  }

  @Override
  public View show(Visit visit) {
    return new View(
        "keys/keys.jte",
        "Blocked keys",
        visit.ask(
            "/keys/blocked",
            Answers.BlockedKeys.class,
            "after",
            visit.text("after"),
            "limit",
            "50"));
  }
}
