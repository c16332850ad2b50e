package io.waybill.testkit;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.waybill.store.Backlog;
import io.waybill.store.FailedRow;
import io.waybill.store.LaneStore;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxRow;
import io.waybill.store.OutboxStore;
import io.waybill.store.ReadResult;
import io.waybill.store.Session;
import io.waybill.store.Settlement;
import io.waybill.testkit.StoreFixture.Ability;
import io.waybill.testkit.StoreFixture.WrittenEvent;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Common ground of the contract suites of the storage seam: one relay with all lanes to take. */
abstract class StoreContract {
  static final Duration LEASE = Duration.ofMinutes(1);
  static final int ROWS = 1000;
  static final long BYTES = 64L << 20;

  private final List<AutoCloseable> open = new ArrayList<>();
  private @Nullable Session owner;

  /**
   * The implementation under test.
   *
   * @return fixture, the same for the whole class
   */
  protected abstract StoreFixture fixture();

  @BeforeEach
  void reset() throws SQLException {
    fixture().reset();
  }

  @AfterEach
  void closeAll() throws Exception {
    for (AutoCloseable closeable : open) {
      closeable.close();
    }
    open.clear();
  }

  OutboxReader reader() {
    return closing(fixture().reader());
  }

  OutboxReader reader(int maxEventBytes) {
    return closing(fixture().reader(maxEventBytes));
  }

  OutboxStore store() {
    return closing(fixture().store());
  }

  LaneStore lanes() {
    return closing(fixture().lanes());
  }

  private <T extends AutoCloseable> T closing(T closeable) {
    open.add(closeable);
    return closeable;
  }

  /** A session that owns all lanes. */
  Session owner() {
    LaneStore lanes = lanes();
    Session session = lanes.join("relay", LEASE);
    lanes.acquire(session, lanes.view(session).free());
    owner = session;
    return session;
  }

  /** Assigns all lanes to a reader, for the session that owns them, if one does. */
  Backlog assignAll(OutboxReader reader) {
    Session last = owner;
    boolean alive = last != null && lanes().renew(last, LEASE);
    return reader.assign(last != null && alive ? last : living(), allLanes());
  }

  /** A session that owns nothing. */
  Session living() {
    return lanes().join("reading", LEASE);
  }

  Set<Integer> allLanes() {
    LaneStore lanes = lanes();
    Session looker = lanes.join("looker", LEASE);
    int count = lanes.view(looker).lanes();
    lanes.leave(looker);
    return IntStream.range(0, count).boxed().collect(Collectors.toCollection(TreeSet::new));
  }

  /** A reader that owns all lanes and has come to its first window. */
  OutboxReader warmReader() {
    OutboxReader reader = reader();
    assignAll(reader);
    drain(reader);
    return reader;
  }

  void insert(WrittenEvent... events) throws SQLException {
    try (Connection connection = fixture().connect()) {
      connection.setAutoCommit(false);
      for (WrittenEvent event : events) {
        fixture().insert(connection, event);
      }
      connection.commit();
    }
  }

  static Settlement failures(FailedRow... failed) {
    return settlement(List.of(), List.of(failed), List.of());
  }

  static Settlement settlement(
      List<OutboxRow> published, List<FailedRow> failed, List<OutboxRow> held) {
    return new Settlement(published, List.of(), failed, held, List.of());
  }

  static List<OutboxRow> drain(OutboxReader reader) {
    List<OutboxRow> rows = new ArrayList<>();
    ReadResult result;
    do {
      result = reader.read(ROWS, BYTES);
      rows.addAll(result.rows());
    } while (result.more() || !result.rows().isEmpty());
    return rows;
  }

  List<String> ids(List<OutboxRow> rows) {
    return rows.stream().map(this::name).toList();
  }

  String name(OutboxRow row) {
    return fixture().name(row);
  }

  boolean has(Ability ability) {
    return fixture().abilities().contains(ability);
  }

  /** Skips a test that the table has no place for, visibly. */
  void needs(Ability... abilities) {
    for (Ability ability : abilities) {
      assumeTrue(has(ability), () -> "The table lacks " + ability);
    }
  }
}
