package io.waybill.examples.wallet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.waybill.examples.wallet.WalletEvent.FundsAddedEvent;
import io.waybill.examples.wallet.WalletEvent.FundsTransferredEvent;
import io.waybill.examples.wallet.WalletEvent.FundsWithdrawnEvent;
import io.waybill.examples.wallet.WalletEvent.WalletCreatedEvent;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.groups.Tuple;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** How use cases tell of what they did; the same on each database. */
abstract class WalletPublishingContract extends WalletTables {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final EventJson json = new EventJson(registry);
  private final DomainEventPublisher publisher = new OutboxEventPublisher(outbox, json);
  private final EventProducer producer = new KafkaEventProducer(outbox, json);
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  private final Logger logger = (Logger) LoggerFactory.getLogger(EventJson.class);

  @BeforeEach
  void listen() {
    log.start();
    logger.addAppender(log);
  }

  @AfterEach
  void end() {
    logger.detachAppender(log);
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
