package io.waybill.torture;

import io.waybill.admin.Admin;
import io.waybill.admin.EventFilter;
import io.waybill.admin.Instruction;
import io.waybill.proof.oracle.Ledger;
import io.waybill.store.OperatorRequest.Verb;
import io.waybill.store.StoreException;
import io.waybill.torture.Planned.Content;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * People who use SQL on rows while relays run: on rows that wait, and on rows that are parked or
 * held because of an event that is too large, which they write for that, and on such an event that
 * an operator gave up. One thread acts, any may ask.
 */
final class People {
  /** Keys of their own begin here. */
  static final int KEYS = 1_000_000;

  private static final int TOO_LARGE = 985_000;
  private static final int ROWS = 200;
  private static final long PAUSE_MILLIS = 400;
  private static final long PATIENCE_SECONDS = 20;

  /** A row that somebody looked at. */
  private record Row(String eventId, String aggregateId) {}

  private final Stage stage;
  private final Deeds deeds = new Deeds();
  private final Map<String, Integer> tally = new TreeMap<>();
  private final List<Row> poison = new ArrayList<>();
  private int keys;
  private long changes;

  People(Stage stage) {
    this.stage = stage;
  }

  /** Acts until it is time, and puts right what it has written. */
  void act(FaultPlan.Entry entry, CountDownLatch healed) throws InterruptedException {
    Random random = new Random(entry.dice());
    long end = System.nanoTime() + entry.length().toNanos();
    do {
      List<Planned> bad = insist(() -> writePoison(1));
      for (int i = 0; i < 8 && healed.getCount() > 0; i++) {
        attempt(() -> onWaiting(random));
        pass(healed);
      }
      onParked(random, bad, healed);
      onDead(healed);
    } while (System.nanoTime() < end && healed.getCount() > 0);
    for (Row row : poison) {
      if (deeds.hand(row.eventId()) == Hand.REMOVE) {
        insist(() -> done(Hand.REMOVE, row, "left"));
      }
    }
  }

  private static void pass(CountDownLatch healed) throws InterruptedException {
    if (healed.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
      return; // There is no time left.
    }
  }

  /** Some SQL. */
  private interface Sql<T> {
    T run() throws SQLException;
  }

  /** The database may be away, and nobody waits for it. */
  private static void attempt(Sql<?> sql) {
    try {
      sql.run();
    } catch (SQLException e) {
      return; // As it often is in a torture.
    }
  }

  /** Again until the database has taken it. */
  private static <T> T insist(Sql<T> sql) throws InterruptedException {
    while (true) {
      try {
        return sql.run();
      } catch (SQLException e) {
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      }
    }
  }

  /** One of the rows that wait, mostly for a destination that refuses. */
  private boolean onWaiting(Random random) throws SQLException {
    try (Connection connection = stage.connect()) {
      boolean again = random.nextInt(4) == 0 && stage.table().byHand(Hand.AGAIN).isPresent();
      List<Row> rows = rows(connection, again ? "PUBLISHED" : "PENDING");
      // What somebody only called published would come behind what was sent since.
      rows.removeIf(row -> again && deeds.has(row.eventId()));
      if (rows.isEmpty()) {
        return false;
      }
      Row row = rows.get(random.nextInt(rows.size()));
      return again
          ? lay(connection, Hand.AGAIN, row, "published")
          : lay(connection, any(random), row, "waiting");
    }
  }

  private static Hand any(Random random) {
    return List.of(Hand.REMOVE, Hand.MARK, Hand.CHANGE).get(random.nextInt(3));
  }

  private List<Row> rows(Connection connection, String status) throws SQLException {
    String sql =
        """
        select event_id, aggregate_id from waybill_outbox_status
        where status = '%s' and event_id like 'evt-%%' order by id desc limit %d"""
            .formatted(status, ROWS);
    List<Row> rows = new ArrayList<>();
    try (PreparedStatement select = connection.prepareStatement(sql);
        ResultSet row = select.executeQuery()) {
      while (row.next()) {
        rows.add(new Row(row.getString(1), row.getString(2)));
      }
    }
    return rows;
  }

  /** Known before it happens, since its reply may be lost; false if there was no such row. */
  private boolean lay(Connection connection, Hand hand, Row row, String state) throws SQLException {
    byte[] payload = "{\"changed\":%d}".formatted(++changes).getBytes(StandardCharsets.UTF_8);
    Content content = new Content(payload, "application/json", Map.of());
    boolean changed = hand == Hand.CHANGE;
    Deeds.Attempt attempt =
        deeds.begin(row.eventId(), hand, changed ? Planned.hash(row.aggregateId(), content) : null);
    String sql = stage.table().byHand(hand).orElseThrow();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      if (changed) {
        statement.setBytes(1, payload);
      }
      statement.setString(changed ? 2 : 1, row.eventId());
      if (statement.executeUpdate() > 0) {
        deeds.done(attempt, connection.getAutoCommit());
        count(state + " " + hand.name().toLowerCase(Locale.ROOT));
        return true;
      }
    }
    deeds.undo(attempt);
    return false;
  }

  /** Three events of a key, one of which is too large; those behind it are held meanwhile. */
  private List<Planned> writePoison(int badOne) throws SQLException {
    int key = KEYS + keys++;
    List<Planned> events = new ArrayList<>();
    for (int sequence = 1; sequence <= 3; sequence++) {
      boolean bad = sequence == badOne;
      String text = "{\"text\":\"%s\"}".formatted("x".repeat(bad ? TOO_LARGE : 9));
      Content content =
          new Content(text.getBytes(StandardCharsets.UTF_8), "application/json", Map.of());
      events.add(new Planned("own-%d-%d".formatted(key, sequence), key, sequence, content));
    }
    Planned bad = events.get(badOne - 1);
    // Whether it comes into the table or not: in the end it is removed, unless it is mended.
    deeds.plan(bad.id());
    poison.add(row(bad));
    try (Connection connection = stage.connect()) {
      connection.setAutoCommit(false);
      Ledger.open(connection, List.of(Planned.name(key)));
      Ledger.record(connection, events.stream().map(Planned::ledgerRow).toList());
      stage.table().append(connection, events);
      connection.commit();
    }
    return List.copyOf(events);
  }

  private void onParked(Random random, List<Planned> events, CountDownLatch healed)
      throws InterruptedException {
    Row bad = row(events.get(0));
    if (!becomes(bad, "PARKED", healed)) {
      insist(() -> done(Hand.REMOVE, bad, "waiting"));
      return;
    }
    Row held = row(events.get(1 + random.nextInt(2)));
    Hand hand = any(random);
    attempt(() -> done(hand, held, "held"));
    switch (random.nextInt(3)) {
      case 0 -> insist(() -> mend(Hand.SET_BACK, bad, "parked"));
      case 1 -> insist(() -> done(Hand.MARK, bad, "parked"));
      default -> insist(() -> done(Hand.REMOVE, bad, "parked"));
    }
  }

  /** The last event of its key: another one would have come before it. */
  private void onDead(CountDownLatch healed) throws InterruptedException {
    Row bad = row(insist(() -> writePoison(3)).get(2));
    boolean dead =
        becomes(bad, "PARKED", healed)
            && insist(() -> ask(Verb.SKIP, bad))
            && becomes(bad, "DEAD", healed);
    if (!dead) {
      insist(() -> done(Hand.REMOVE, bad, "parked"));
    } else if (stage.table().byHand(Hand.REVIVE).isPresent()) {
      insist(() -> mend(Hand.REVIVE, bad, "dead"));
    } else {
      insist(() -> done(Hand.CHANGE, bad, "dead"));
      insist(() -> ask(Verb.RETRY, bad));
      count("dead retried");
    }
  }

  private boolean ask(Verb verb, Row row) throws SQLException {
    try (Admin admin = stage.admin()) {
      Instruction by = new Instruction("torture", "to see what becomes of it");
      admin.request(verb, EventFilter.ids(List.of(row.eventId())), 1, by);
      return true;
    } catch (StoreException e) {
      throw new SQLException(e);
    }
  }

  private static Row row(Planned event) {
    return new Row(event.id(), Integer.toString(event.key()));
  }

  private boolean becomes(Row row, String status, CountDownLatch healed)
      throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    boolean is = insist(() -> is(row, status));
    while (!is && System.nanoTime() < end && healed.getCount() > 0) {
      pass(healed);
      is = insist(() -> is(row, status));
    }
    return is;
  }

  private boolean is(Row row, String status) throws SQLException {
    String sql =
        "select count(*) from waybill_outbox_status where event_id = '%s' and status = '%s'";
    return stage.number(sql.formatted(row.eventId(), status)) > 0;
  }

  private boolean done(Hand hand, Row row, String state) throws SQLException {
    try (Connection connection = stage.connect()) {
      return lay(connection, hand, row, state);
    }
  }

  /** Makes the event small, and lets it be tried again. */
  private boolean mend(Hand back, Row row, String state) throws SQLException {
    try (Connection connection = stage.connect()) {
      connection.setAutoCommit(false);
      lay(connection, Hand.CHANGE, row, state);
      String sql = stage.table().byHand(back).orElseThrow();
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        statement.setString(1, row.eventId());
        statement.executeUpdate();
      }
      connection.commit();
      count(state + " set_back");
      return true;
    }
  }

  private synchronized void count(String what) {
    tally.merge(what, 1, Integer::sum);
  }

  /** How often what was done to rows in which state. */
  synchronized Map<String, Integer> tally() {
    return Map.copyOf(tally);
  }

  /** What they did. */
  Deeds deeds() {
    return deeds;
  }
}
