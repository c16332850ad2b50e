package io.waybill.console.internal.overview;

import io.waybill.console.internal.deadletters.LetterSource;
import io.waybill.console.internal.inbox.InboxPage.Inbox;
import io.waybill.console.internal.layout.Link;
import io.waybill.console.internal.layout.Shown;
import io.waybill.console.internal.layout.Visit;
import io.waybill.console.internal.storage.StoragePage;
import io.waybill.internal.jdbc.operator.Storage;
import io.waybill.spring.internal.api.ConsumerAnswers;
import io.waybill.spring.internal.api.ConsumerAnswers.DeadLetterSummary;
import io.waybill.spring.internal.api.Role;
import java.util.ArrayList;
import java.util.List;

/** What is wrong beside the relays. It costs more to find, so it is asked for less often. */
final class ElsewhereTroubles {
  private static final int FEW = 5;

  private ElsewhereTroubles() {}

  static OverviewPage.Elsewhere of(Visit visit) {
    List<Trouble> all = new ArrayList<>();
    List<String> unknown = new ArrayList<>();
    ConsumerAnswers.Consumers consumers = Inbox.of(visit, "100").consumers();
    LetterSource.of(visit, consumers, FEW).stream()
        .filter(LetterSource::waits)
        .forEach(source -> all.add(letters(source)));
    if (consumers.problem() != null) {
      unknown.add("Dead letters are not known, since the broker does not answer.");
    }
    Storage storage = visit.ask("/storage", Storage.class);
    StoragePage.held(storage).ifPresent(open -> all.add(held(open)));
    if (storage.grant() != null) {
      unknown.add("Some transactions are hidden from the database user: Storage has the remedy.");
    }
    return new OverviewPage.Elsewhere(all, unknown);
  }

  private static Trouble letters(LetterSource source) {
    DeadLetterSummary first = source.first();
    String name = source.source().source();
    Long number = source.source().deadLetters();
    return Trouble.of(
            "bad",
            "Dead letters of " + Shown.name(name),
            first == null ? null : first.failedAt(),
            first == null
                ? "A consumer declared %s events dead."
                    .formatted(Shown.number(number == null ? 0 : number))
                : "A consumer declared events dead. The first: %s %s"
                    .formatted(Shown.name(first.reason()), Shown.text(first.error())),
            "Repair the consumer first, then send them again.")
        .link(Link.to("dead-letters", "source", name), "Look", Role.VIEWER);
  }

  private static Trouble held(Storage.OpenTransaction open) {
    return Trouble.of(
            "warn",
            "A transaction is open for long",
            open.since(),
            "%s of %s %s: the database keeps all rows that were removed since, so reads become slower."
                .formatted(
                    Shown.name(open.kind() + " " + open.id()),
                    open.user() == null ? "a user who is not known," : Shown.name(open.user()),
                    Shown.name(open.application())),
            "Find out whose it is, and end it there; Storage has the command that ends it here.")
        .link("storage", "Storage", Role.VIEWER);
  }
}
