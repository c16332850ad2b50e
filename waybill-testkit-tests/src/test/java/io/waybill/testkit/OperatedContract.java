package io.waybill.testkit;

import io.waybill.admin.Admin;
import io.waybill.admin.EventFilter;
import io.waybill.admin.EventPage;
import io.waybill.admin.EventView;
import io.waybill.internal.jdbc.operator.JdbcAdmin;
import io.waybill.store.FailedRow;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxRow;
import io.waybill.store.RowState;
import io.waybill.store.Session;
import io.waybill.testkit.StoreFixture.Ability;
import io.waybill.testkit.StoreFixture.WrittenEvent;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Common ground of the suites on what operators see: events in every state. */
abstract class OperatedContract extends StoreContract {
  Admin admin() {
    return fixture().tables().admin();
  }

  /** One whose searches look at a few rows at a time. */
  Admin searching(int rows) {
    return ((JdbcAdmin) admin()).searching(rows);
  }

  List<String> found(Admin admin, EventFilter filter) {
    return names(admin.find(filter, null, 100).events());
  }

  List<String> names(List<EventView> events) {
    return events.stream().map(fixture()::name).toList();
  }

  /** What gives a page of a list, from a position on. */
  interface Lister {
    EventPage page(@Nullable String position);
  }

  static List<EventView> all(Lister lister) {
    List<EventView> all = new ArrayList<>();
    @Nullable String position = null;
    do {
      EventPage page = lister.page(position);
      all.addAll(page.events());
      position = page.next();
    } while (position != null);
    return all;
  }

  EventView event(Admin admin, String name) {
    return all(after -> admin.find(EventFilter.ALL, after, 100)).stream()
        .filter(event -> fixture().name(event).equals(name))
        .findFirst()
        .orElseThrow();
  }

  String id(Admin admin, String name) {
    return event(admin, name).eventId();
  }

  /** The names without those of published events, where these are deleted. */
  List<String> present(String... names) {
    return Stream.of(names)
        .filter(name -> has(Ability.KEPT_EVENTS) || !List.of("done").contains(name))
        .toList();
  }

  /** Events named after their states, in the order of the table; the relay owns all lanes. */
  Session states() throws SQLException {
    Session session = owner();
    OutboxReader reader = warmReader();
    insert(
        WrittenEvent.of("retry", "1"),
        WrittenEvent.of("parked", "2"),
        WrittenEvent.of("dead", "3"),
        WrittenEvent.of("held", "1"),
        WrittenEvent.of("done", "5"),
        WrittenEvent.of("new", "6"));
    List<OutboxRow> rows = drain(reader);
    store()
        .settle(
            session,
            settlement(
                List.of(rows.get(4)),
                List.of(
                    failed(rows.get(0), RowState.RETRY),
                    failed(rows.get(1), RowState.PARKED),
                    failed(rows.get(2), RowState.DEAD)),
                List.of(rows.get(3))));
    return session;
  }

  List<OutboxRow> written(String... names) throws SQLException {
    OutboxReader reader = warmReader();
    insert(Stream.of(names).map(name -> WrittenEvent.of(name, name)).toArray(WrittenEvent[]::new));
    return drain(reader);
  }

  static FailedRow failed(OutboxRow row, RowState state) {
    long delay = state == RowState.RETRY ? 60_000 : 0;
    return new FailedRow(row, state, 4, false, delay, "nack", "said no", "");
  }
}
