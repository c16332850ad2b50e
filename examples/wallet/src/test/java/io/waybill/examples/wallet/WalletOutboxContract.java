package io.waybill.examples.wallet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.waybill.message.InvalidEventException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The documented names over the documented table, without a relay; the same on each database. */
abstract class WalletOutboxContract extends WalletTables {
  private OutboxEvent save(String type, String payload, @Nullable String correlationId)
      throws SQLException {
    return database()
        .transaction(
            connection -> outbox.saveOutboxEvent(connection, type, payload, correlationId));
  }

  @Test
  void saveOutboxEventStoresTheEventUnsentAndCreatedNow() throws SQLException {
    OutboxEvent saved = save("FundsAdded", "{\"a\": 1.10}", "w-1");

    assertThat(unsent()).containsExactly(saved);
    assertThat(saved.id()).isPositive();
    assertThat(saved.payload()).isEqualTo("{\"a\": 1.10}");
    assertThat(saved.correlationId()).isEqualTo("w-1");
    assertThat(saved.sent()).isFalse();
    assertThat(saved.createdAt())
        .isCloseTo(LocalDateTime.now(Clock.systemUTC()), within(1, ChronoUnit.MINUTES));
  }

  @Test
  void anEventNeedsNoCorrelationId() throws SQLException {
    save("FeeChanged", "{}", null);

    assertThat(unsent()).singleElement().extracting(OutboxEvent::correlationId).isNull();
  }

  @Test
  void aRolledBackTransactionLeavesNoEvent() throws SQLException {
    try (Connection connection = database().source().getConnection()) {
      connection.setAutoCommit(false);
      outbox.saveOutboxEvent(connection, "FundsAdded", "{}", "w-1");
      connection.rollback();
    }
    assertThat(unsent()).isEmpty();
  }

  @Test
  void aConnectionInAutoCommitModeIsRefused() throws SQLException {
    try (Connection connection = database().source().getConnection()) {
      assertThatThrownBy(() -> outbox.saveOutboxEvent(connection, "FundsAdded", "{}", "w-1"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("auto-commit");
    }
    assertThat(unsent()).isEmpty();
  }

  static List<Object[]> bad() {
    return List.of(
        new Object[] {"", "{}", "w-1", "type must not be empty"},
        new Object[] {"Funds Added", "{}", "w-1", "eventType must be 1 to 243 of A-Z"},
        new Object[] {"x".repeat(244), "{}", "w-1", "eventType must be 1 to 243"},
        new Object[] {"FundsAdded", "{\"a\":", "w-1", "payload must be"},
        new Object[] {"FundsAdded", "", "w-1", "payload must be"},
        new Object[] {"FundsAdded", '"' + "x".repeat(65_534) + '"', "w-1", "payload must be"},
        new Object[] {"FundsAdded", "{}", "", "aggregateId must not be empty"},
        new Object[] {"FundsAdded", "{}", "x".repeat(256), "aggregateId must be at most 255"});
  }

  @ParameterizedTest
  @MethodSource("bad")
  void whatNoBrokerCouldTakeIsRefusedBeforeItIsSaved(
      String type, String payload, String correlationId, String rule) throws SQLException {
    OutboxEvent good =
        database()
            .transaction(
                connection -> {
                  assertThatThrownBy(
                          () -> outbox.saveOutboxEvent(connection, type, payload, correlationId))
                      .isInstanceOf(InvalidEventException.class)
                      .hasMessageContaining(rule);
                  return outbox.saveOutboxEvent(connection, "FundsAdded", "{}", "w-1");
                });
    assertThat(unsent()).containsExactly(good);
  }

  @Test
  void theLargestPayloadIsSaved() throws SQLException {
    String payload = '"' + "x".repeat(65_533) + '"';

    assertThat(save("FundsAdded", payload, null).payload()).isEqualTo(payload);
    assertThat(unsent()).singleElement().extracting(OutboxEvent::payload).isEqualTo(payload);
  }

  @Test
  void markEventAsSentTakesTheEventFromTheUnsent() throws SQLException {
    OutboxEvent first = save("FundsAdded", "{}", "w-1");
    OutboxEvent second = save("FundsAdded", "{}", "w-1");

    OutboxEvent marked =
        database().transaction(connection -> outbox.markEventAsSent(connection, first));

    assertThat(marked.sent()).isTrue();
    assertThat(unsent()).containsExactly(second);
  }

  @Test
  void markEventAsSentIsUndoneByARollback() throws SQLException {
    OutboxEvent event = save("FundsAdded", "{}", "w-1");
    try (Connection connection = database().source().getConnection()) {
      connection.setAutoCommit(false);
      outbox.markEventAsSent(connection, event);
      connection.rollback();
    }
    assertThat(unsent()).containsExactly(event);
  }

  @Test
  void markEventAsSentRefusesAnEventThatIsNotThere() {
    OutboxEvent stranger = OutboxEvent.of("FundsAdded", "{}", null).withId(987_654_321);

    assertThatThrownBy(
            () ->
                database().transaction(connection -> outbox.markEventAsSent(connection, stranger)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("987654321");
  }

  @Test
  void getUnsentEventsGivesPagesInTheOrderOfIds() throws SQLException {
    List<OutboxEvent> saved = new ArrayList<>();
    for (int i = 0; i < 25; i++) {
      saved.add(save("FundsAdded", "{\"n\":" + i + "}", "w-1"));
    }
    database().transaction(connection -> outbox.markEventAsSent(connection, saved.remove(3)));
    List<OutboxEvent> paged = new ArrayList<>();
    List<Integer> sizes = new ArrayList<>();
    database()
        .transaction(
            connection -> {
              List<OutboxEvent> page = outbox.getUnsentEvents(connection, 0, 10);
              while (!page.isEmpty()) {
                paged.addAll(page);
                sizes.add(page.size());
                Long last = page.get(page.size() - 1).id();
                page = outbox.getUnsentEvents(connection, last == null ? 0 : last, 10);
              }
              return paged;
            });

    assertThat(paged).isEqualTo(saved);
    assertThat(sizes).containsExactly(10, 10, 4);
  }

  @Test
  void findBySentFalseFindsAllHoweverManyThereAre() throws SQLException {
    database()
        .transaction(
            connection -> {
              for (int i = 0; i < 1_001; i++) {
                outbox.saveOutboxEvent(connection, "FundsAdded", "{}", "w-1");
              }
              return connection;
            });

    assertThat(unsent()).hasSize(1_001).doesNotHaveDuplicates();
    assertThat(counted(500)).isEqualTo(500);
    assertThat(counted(5_000)).isEqualTo(1_001);
  }

  private int counted(int limit) throws SQLException {
    return database().transaction(c -> repository.countBySentFalse(c, limit));
  }

  @ParameterizedTest
  @CsvSource({"0", "-1", "10001"})
  void aSenselessPageIsRefused(int limit) {
    assertThatThrownBy(() -> database().transaction(c -> outbox.getUnsentEvents(c, 0, limit)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("limit must be from 1 to 10000, but is " + limit);
  }
}
