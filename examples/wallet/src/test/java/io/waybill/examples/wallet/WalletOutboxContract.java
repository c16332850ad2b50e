package io.waybill.examples.wallet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.waybill.examples.wallet.WalletEvent.FundsAddedEvent;
import io.waybill.examples.wallet.WalletEvent.FundsTransferredEvent;
import io.waybill.examples.wallet.WalletEvent.FundsWithdrawnEvent;
import io.waybill.examples.wallet.WalletEvent.WalletCreatedEvent;
import io.waybill.message.InvalidEventException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.assertj.core.groups.Tuple;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

/** The documented names over the documented table, without a relay; the same on each database. */
@Tag("server")
abstract class WalletOutboxContract {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final OutboxRepository repository = new OutboxRepository();
  private final OutboxService outbox = new OutboxService(repository);
  private final EventJson json = new EventJson(registry);
  private final DomainEventPublisher publisher = new OutboxEventPublisher(outbox, json);
  private final EventProducer producer = new KafkaEventProducer(outbox, json);
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  private final Logger logger = (Logger) LoggerFactory.getLogger(EventJson.class);

  /** A database with the tables. */
  abstract WalletDatabase database();

  @BeforeEach
  void begin() throws SQLException {
    execute("delete from outbox");
    execute("delete from wallets");
    execute("delete from operations");
    log.start();
    logger.addAppender(log);
  }

  @AfterEach
  void end() {
    logger.detachAppender(log);
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = database().source().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private OutboxEvent save(String type, String payload, @Nullable String correlationId)
      throws SQLException {
    return database()
        .transaction(
            connection -> outbox.saveOutboxEvent(connection, type, payload, correlationId));
  }

  private List<OutboxEvent> unsent() throws SQLException {
    return database().transaction(repository::findBySentFalse);
  }

  @Test
  void theTableHasTheDocumentedColumnsAndIndexes() throws SQLException {
    try (Connection connection = database().source().getConnection()) {
      Map<String, Boolean> nullable = new TreeMap<>();
      try (ResultSet columns =
          connection
              .getMetaData()
              .getColumns(connection.getCatalog(), connection.getSchema(), "outbox", null)) {
        while (columns.next()) {
          nullable.put(columns.getString("COLUMN_NAME"), columns.getInt("NULLABLE") == 1);
        }
      }
      assertThat(nullable)
          .containsExactlyInAnyOrderEntriesOf(
              Map.of(
                  "id", false,
                  "event_type", false,
                  "payload", false,
                  "correlation_id", true,
                  "created_at", false,
                  "sent", false));
      assertThat(indexes(connection).values())
          .contains(List.of("sent"), List.of("sent", "created_at"), List.of("correlation_id"));
    }
  }

  private static Map<String, List<String>> indexes(Connection connection) throws SQLException {
    Map<String, List<String>> indexes = new TreeMap<>();
    try (ResultSet parts =
        connection
            .getMetaData()
            .getIndexInfo(connection.getCatalog(), connection.getSchema(), "outbox", false, true)) {
      while (parts.next()) {
        indexes
            .computeIfAbsent(parts.getString("INDEX_NAME"), name -> new ArrayList<>())
            .add(parts.getString("COLUMN_NAME"));
      }
    }
    return indexes;
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

  @Test
  void aDomainEventIsStoredUnderItsSimpleClassNameAsJson() throws SQLException {
    publish(new FeeChangedEvent("op-1", 25));

    assertThat(unsent())
        .extracting(OutboxEvent::eventType, OutboxEvent::payload, OutboxEvent::correlationId)
        .containsExactly(
            Tuple.tuple("FeeChangedEvent", "{\"operationId\":\"op-1\",\"cents\":25}", null));
  }

  @Test
  void publishingTwiceStoresTwoEvents() throws SQLException {
    DomainEvent event = new FundsAddedEvent("op-1", "w-1", 2, 25);
    publish(event);
    publish(event);

    assertThat(unsent()).hasSize(2);
    assertThat(unsent().get(0).payload()).isEqualTo(unsent().get(1).payload());
  }

  private void publish(DomainEvent event) throws SQLException {
    database()
        .transaction(
            connection -> {
              publisher.publish(connection, event);
              return event;
            });
  }

  /** Jackson cannot write it: it contains itself. */
  record EndlessEvent(List<Object> parts) implements DomainEvent {
    static EndlessEvent create() {
      List<Object> parts = new ArrayList<>();
      parts.add(Map.of("secret", parts));
      return new EndlessEvent(parts);
    }

    @Override
    public @Nullable String correlationId() {
      return null;
    }
  }

  @Test
  void aFailedSerialisationIsLoggedCountedAndFailsTheTransaction() throws SQLException {
    DomainEvent endless = EndlessEvent.create();
    WalletService service =
        new WalletService(
            database(), producer, (connection, event) -> publisher.publish(connection, endless));

    assertThatThrownBy(() -> service.changeFee(25))
        .isInstanceOf(EventSerializationException.class)
        .hasMessage("Event EndlessEvent cannot be written as JSON");

    assertThat(unsent()).isEmpty();
    assertThat(service.operations()).as("the business row").isEmpty();
    assertThat(registry.get(EventJson.FAILURES).tag("type", "EndlessEvent").counter().count())
        .isEqualTo(1);
    assertThat(log.list)
        .singleElement()
        .extracting(ILoggingEvent::getFormattedMessage)
        .asString()
        .contains("EndlessEvent", "rolled back")
        .doesNotContain("secret");
  }

  @Test
  void produceWalletCreatedEvent() throws SQLException {
    WalletCreatedEvent event = new WalletCreatedEvent("op-1", "w-1", 1, "Ada");
    produce(connection -> producer.produceWalletCreatedEvent(connection, event));

    stored(
        "WalletCreatedEvent",
        """
        {"operationId":"op-1","walletId":"w-1","revision":1,"owner":"Ada"}""");
  }

  @Test
  void produceFundsAddedEvent() throws SQLException {
    FundsAddedEvent event = new FundsAddedEvent("op-1", "w-1", 2, 25);
    produce(connection -> producer.produceFundsAddedEvent(connection, event));

    stored(
        "FundsAddedEvent",
        """
        {"operationId":"op-1","walletId":"w-1","revision":2,"cents":25}""");
  }

  @Test
  void produceFundsWithdrawnEvent() throws SQLException {
    FundsWithdrawnEvent event = new FundsWithdrawnEvent("op-1", "w-1", 3, 25);
    produce(connection -> producer.produceFundsWithdrawnEvent(connection, event));

    stored(
        "FundsWithdrawnEvent",
        """
        {"operationId":"op-1","walletId":"w-1","revision":3,"cents":25}""");
  }

  @Test
  void produceFundsTransferredEvent() throws SQLException {
    FundsTransferredEvent event = new FundsTransferredEvent("op-1", "w-1", 4, "w-2", 25);
    produce(connection -> producer.produceFundsTransferredEvent(connection, event));

    stored(
        "FundsTransferredEvent",
        """
        {"operationId":"op-1","walletId":"w-1","revision":4,"toWalletId":"w-2","cents":25}""");
  }

  private interface Step {
    void run(Connection connection) throws SQLException;
  }

  private void produce(Step step) throws SQLException {
    database()
        .transaction(
            connection -> {
              step.run(connection);
              return step;
            });
  }

  private void stored(String type, String payload) throws SQLException {
    assertThat(unsent())
        .extracting(OutboxEvent::eventType, OutboxEvent::payload, OutboxEvent::correlationId)
        .containsExactly(Tuple.tuple(type, payload, "w-1"));
  }

  @Test
  void aRefusedUseCaseLeavesNeitherRowNorEvent() throws SQLException {
    WalletService service = new WalletService(database(), producer, publisher);
    String wallet = service.create("Ada");
    service.addFunds(wallet, 100);

    assertThatThrownBy(() -> service.transfer(wallet, "nobody", 40))
        .hasMessage("There is no wallet nobody");
    assertThatThrownBy(() -> service.withdraw(wallet, 101)).hasMessageContaining("101 cents");

    assertThat(service.operations()).hasSize(2);
    assertThat(unsent())
        .extracting(OutboxEvent::eventType)
        .containsExactly("WalletCreatedEvent", "FundsAddedEvent");
    service.withdraw(wallet, 100);
    assertThat(service.operations()).hasSize(3);
  }
}
