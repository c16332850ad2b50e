package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.store.Backlog;
import io.waybill.store.FailedRow;
import io.waybill.store.LaneStore;
import io.waybill.store.LaneView;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxRow;
import io.waybill.store.RowState;
import io.waybill.store.Session;
import io.waybill.store.Settlement;
import io.waybill.testkit.StoreFixture.WrittenEvent;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What clocks on walls show moves no lease and no schedule: time zones of the server and of
 * writers' sessions change, as they do when summer time begins and ends.
 */
@Tag("server")
abstract class LayoutClockContract extends StoreContract {
  @Override
  protected abstract LayoutFixture fixture();

  abstract TestDatabase database();

  @AfterEach
  void utc() throws SQLException {
    database().timeZone(0);
  }

  @ParameterizedTest
  @ValueSource(ints = {13, -11})
  void aLeaseIsTheSameInEveryTimeZone(int hours) throws SQLException {
    LaneStore lanes = lanes();
    Session session = lanes.join("old", Duration.ofMinutes(30));
    lanes.acquire(session, Set.of(0));

    database().timeZone(hours);
    LaneStore others = lanes();
    Session other = others.join("new", Duration.ofMinutes(30));
    LaneView seen = others.view(other);
    assertThat(seen.sessions()).isEqualTo(2);
    assertThat(seen.free()).isEmpty();

    database().timeZone(hours > 0 ? -11 : 13);
    assertThat(lanes().renew(session, Duration.ofMinutes(30))).isTrue();
    LaneView again = lanes().view(other);
    assertThat(again.alive()).isTrue();
    assertThat(again.free()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {13, -11})
  void aRetryIsDueAtTheSameTimeInEveryTimeZone(int hours) throws SQLException {
    OutboxReader reader = warmReader();
    insert(WrittenEvent.of("a", "1"));
    OutboxRow row = drain(reader).get(0);
    FailedRow failed = new FailedRow(row, RowState.RETRY, 1, false, 600_000, "nack", "no");
    store()
        .settle(
            owner(), new Settlement(List.of(), List.of(), List.of(failed), List.of(), List.of()));

    database().timeZone(hours);
    Backlog backlog = assignAll(reader());
    assertThat(backlog.failed()).hasSize(1);
    assertThat(backlog.failed().get(0).delayMillis()).isBetween(500_000L, 600_000L);

    String next = database().dialect().micros("next_attempt_at");
    assertThat(Long.parseLong(String.valueOf(fixture().column(next))))
        .isBetween(row.readAtMicros() + 500_000_000, row.readAtMicros() + 700_000_000);
  }

  @ParameterizedTest
  @ValueSource(ints = {13, -11})
  void aDelayIsTheSameInEveryTimeZone(int hours) throws SQLException {
    OutboxReader reader = warmReader();
    try (Connection connection = inZone(hours)) {
      fixture().insert(connection, WrittenEvent.of("due", "1").delay(Duration.ofHours(-1)));
      fixture().insert(connection, WrittenEvent.of("later", "2").delay(Duration.ofHours(1)));
    }
    assertThat(ids(drain(reader))).containsExactly("due");
  }

  @Test
  void rowsWhoseWritersShowOtherTimesAreAllReadOnce() throws SQLException {
    OutboxReader reader = warmReader();
    List<String> read = new ArrayList<>();
    int number = 0;
    // As at the end of summer time, the later of two rows can show the earlier time.
    for (int hours : new int[] {2, 1, 2, 1, 13, -11, 0}) {
      try (Connection connection = inZone(hours)) {
        fixture().insert(connection, WrittenEvent.of("e" + number, "key" + number));
        number++;
      }
      if (number % 2 == 0) {
        read.addAll(ids(drain(reader)));
      }
    }
    read.addAll(ids(drain(reader)));
    assertThat(read).containsExactlyInAnyOrder("e0", "e1", "e2", "e3", "e4", "e5", "e6");
    assertThat(ids(drain(reader))).isEmpty();
  }

  private Connection inZone(int hours) throws SQLException {
    Connection connection = fixture().connect();
    try (Statement statement = connection.createStatement()) {
      statement.execute(database().sessionTimeZone(hours));
    }
    return connection;
  }
}
