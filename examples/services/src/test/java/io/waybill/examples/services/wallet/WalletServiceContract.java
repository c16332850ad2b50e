package io.waybill.examples.services.wallet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.micrometer.core.instrument.MeterRegistry;
import io.waybill.database.DatabaseKind;
import io.waybill.examples.services.RunningService;
import io.waybill.message.InvalidEventException;
import io.waybill.spring.DomainEventPublisher;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;
import org.springframework.boot.WebApplicationType;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.server.ResponseStatusException;

/** The use cases and the table, without a broker; the same on each database. */
@Tag("server")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class WalletServiceContract {
  private final DatabaseKind kind;
  private final String platform;
  private RunningService service;
  private Wallets wallets;
  private OutboxService outbox;

  WalletServiceContract(DatabaseKind kind, String platform) {
    this.kind = kind;
    this.platform = platform;
  }

  @BeforeAll
  void start() {
    service =
        RunningService.start(
            kind,
            WalletApplication.class,
            "wallet",
            WebApplicationType.SERVLET,
            Map.of(
                "spring.sql.init.platform",
                platform,
                "waybill.relay.enabled",
                false,
                "waybill.inbox.enabled",
                false));
    wallets = service.bean(Wallets.class);
    outbox = service.bean(OutboxService.class);
  }

  @AfterAll
  void stop() {
    service.close();
  }

  @Test
  void eachUseCaseWritesItsEventInItsTransaction() {
    String from = wallets.create("Ada").id();
    String to = wallets.create("Bob").id();
    wallets.addFunds(from, 500);
    wallets.withdraw(from, 100);
    assertThat(wallets.transfer(from, to, 150).cents()).isEqualTo(250);
    assertThatExceptionOfType(ResponseStatusException.class)
        .isThrownBy(() -> wallets.withdraw(from, 251))
        .withMessageContaining("has 250 cents, which is less than 251");

    assertThat(outbox.getUnsentEvents())
        .filteredOn(event -> from.equals(event.getCorrelationId()))
        .extracting(OutboxEvent::getEventType)
        .containsExactly(
            "WalletCreatedEvent",
            "FundsAddedEvent",
            "FundsWithdrawnEvent",
            "FundsTransferredEvent");
  }

  /** JPA writes an event as soon as it is saved, a changed wallet when the transaction ends. */
  @Test
  void aUseCaseThatFailsAfterItsEventWasWrittenRollsBothBack() {
    JdbcClient jdbc = service.jdbc();
    String id = wallets.create("Ada").id();
    long before = newEvent();
    jdbc.sql("alter table wallet add constraint most check (cents < 1000000)").update();

    assertThatExceptionOfType(DataAccessException.class)
        .isThrownBy(() -> wallets.addFunds(id, 1_000_000));

    jdbc.sql("alter table wallet drop constraint most").update();
    assertThat(newEvent()).as("a number that no rollback gives back").isEqualTo(before + 2);
    assertThat(outbox.getUnsentEvents())
        .filteredOn(event -> id.equals(event.getCorrelationId()))
        .extracting(OutboxEvent::getEventType)
        .containsExactly("WalletCreatedEvent");
    assertThat(
            jdbc.sql("select cents from wallet where id = ?").param(id).query(Long.class).single())
        .isZero();
  }

  /** The number of a new event. */
  private long newEvent() {
    return Objects.requireNonNull(saved("FundsAddedEvent", "{}", null).getId());
  }

  private OutboxEvent saved(String type, String payload, @Nullable String correlationId) {
    return Objects.requireNonNull(
        service
            .bean(TransactionTemplate.class)
            .execute(status -> outbox.saveOutboxEvent(type, payload, correlationId)));
  }

  @Test
  void theTableIsTheDocumentedOne() {
    assertThat(
            service
                .jdbc()
                .sql(
                    """
                    select lower(column_name) from information_schema.columns
                    where lower(table_name) = 'outbox' order by ordinal_position""")
                .query(String.class)
                .list())
        .containsExactly("id", "event_type", "payload", "correlation_id", "created_at", "sent");
  }

  @Test
  void whatIsMarkedAsSentWaitsNoLonger() {
    OutboxEvent first = saved("FundsAddedEvent", "{}", "marked");
    OutboxEvent second = saved("FundsAddedEvent", "{}", "marked");

    assertThat(outbox.markEventAsSent(first).isSent()).isTrue();

    assertThat(service.bean(OutboxRepository.class).findBySentFalse())
        .contains(second)
        .doesNotContain(first);
    assertThat(outbox.getUnsentEvents()).contains(second).doesNotContain(first);
  }

  static List<Object[]> bad() {
    return List.of(
        new Object[] {"", "{}", "w-1", "type must not be empty"},
        new Object[] {"Funds Added", "{}", "w-1", "eventType must be 1 to 243 of A-Z"},
        new Object[] {"x".repeat(244), "{}", "w-1", "eventType must be 1 to 243"},
        new Object[] {"FundsAdded", "{\"a\":", "w-1", "payload must be"},
        new Object[] {"FundsAdded", '"' + "x".repeat(65_534) + '"', "w-1", "payload must be"},
        new Object[] {"FundsAdded", "{}", "x".repeat(256), "aggregateId must be at most 255"});
  }

  @ParameterizedTest
  @MethodSource("bad")
  void whatNoBrokerCouldTakeIsRefusedBeforeItIsSaved(
      String type, String payload, String correlationId, String rule) {
    int events = outbox.getUnsentEvents().size();

    assertThatExceptionOfType(InvalidEventException.class)
        .isThrownBy(() -> saved(type, payload, correlationId))
        .withMessageContaining(rule);

    assertThat(outbox.getUnsentEvents()).hasSize(events);
  }

  /** Jackson cannot write it: it contains itself. */
  record EndlessEvent(List<Object> parts) {
    static EndlessEvent create() {
      List<Object> parts = new ArrayList<>();
      parts.add(Map.of("secret", parts));
      return new EndlessEvent(parts);
    }
  }

  @Test
  void aFailedSerialisationIsLoggedCountedAndFailsTheTransaction() {
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    Logger logger = (Logger) LoggerFactory.getLogger(OutboxEventPublisher.class);
    log.start();
    logger.addAppender(log);
    TransactionTemplate transaction = service.bean(TransactionTemplate.class);
    DomainEventPublisher publisher = service.bean(DomainEventPublisher.class);
    int events = outbox.getUnsentEvents().size();

    assertThatExceptionOfType(EventSerializationException.class)
        .isThrownBy(
            () ->
                transaction.executeWithoutResult(
                    status -> {
                      wallets.create("rolled back");
                      publisher.publish(EndlessEvent.create());
                    }))
        .withMessage("Event EndlessEvent cannot be written as JSON");

    logger.detachAppender(log);
    assertThat(outbox.getUnsentEvents()).hasSize(events);
    assertThat(
            service
                .jdbc()
                .sql("select count(*) from wallet where owner = 'rolled back'")
                .query(Long.class)
                .single())
        .isZero();
    assertThat(
            service
                .bean(MeterRegistry.class)
                .get(OutboxMeters.FAILURES)
                .tag("type", "EndlessEvent")
                .counter()
                .count())
        .isEqualTo(1);
    assertThat(log.list)
        .singleElement()
        .extracting(ILoggingEvent::getFormattedMessage)
        .asString()
        .contains("EndlessEvent", "rolled back")
        .doesNotContain("secret");
  }

  @Test
  void actuatorTellsHowMuchWaits() throws Exception {
    saved("FundsAddedEvent", "{}", null);
    int waiting = outbox.getUnsentEvents().size();

    HttpResponse<String> answer =
        service.client().get("/actuator/metrics/" + OutboxMeters.QUEUE_SIZE);

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).contains("\"value\":" + waiting + ".0");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /wallets                | {}                           | 400 | owner must be given, but is missing
          /wallets                | {"owner": " "}               | 400 | owner must be given, but is blank
          /wallets/ID/funds       | {"cents": 0}                 | 400 | cents must be at least 1, but are 0
          /wallets/none/funds     | {"cents": 5}                 | 404 | there is no wallet none
          /wallets/ID/withdrawals | {"cents": -1}                | 400 | cents must be at least 1, but are -1
          /wallets/ID/withdrawals | {"cents": 5}                 | 409 | has 0 cents, which is less than 5
          /wallets/ID/transfers   | {"cents": 5}                 | 400 | to must be given, but is missing
          /wallets/ID/transfers   | {"to": "ID", "cents": 5}     | 400 | to must be another wallet, but is
          /wallets/ID/transfers   | {"to": "none", "cents": 5}   | 404 | there is no wallet none
          """)
  void aBadRequestIsRefusedWithFieldAndRuleAndWritesNoEvent(
      String path, String json, int status, String reason) throws Exception {
    String id = wallets.create("Ada").id();
    int events = outbox.getUnsentEvents().size();

    HttpResponse<String> answer =
        service.client().post(path.replace("ID", id), json.replace("ID", id));

    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(answer.body()).contains(reason);
    assertThat(outbox.getUnsentEvents()).hasSize(events);
  }

  @Test
  void aNameThatIsTooLongIsRefused() throws Exception {
    HttpResponse<String> answer =
        service.client().post("/wallets", "{\"owner\": \"%s\"}".formatted("x".repeat(201)));

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains("owner must have at most 200 characters, but has 201");
  }

  @Test
  void anEventOutsideATransactionIsRefused() {
    assertThatExceptionOfType(IllegalTransactionStateException.class)
        .isThrownBy(() -> outbox.saveOutboxEvent("FundsAddedEvent", "{}", null));
  }

  @Test
  void aProxyIsEqualToItsEntity() {
    TransactionTemplate transaction = service.bean(TransactionTemplate.class);
    OutboxEvent saved = saved("FundsAddedEvent", "{}", null);
    OutboxRepository rows = service.bean(OutboxRepository.class);

    transaction.executeWithoutResult(
        status -> {
          OutboxEvent proxy = rows.getReferenceById(Objects.requireNonNull(saved.getId()));
          assertThat(proxy.getClass()).isNotEqualTo(OutboxEvent.class);
          assertThat(proxy).isEqualTo(saved).hasSameHashCodeAs(saved);
          assertThat(saved).isEqualTo(proxy);
        });
    assertThat(new OutboxEvent("a", "{}", null))
        .isNotEqualTo(new OutboxEvent("a", "{}", null))
        .hasSameHashCodeAs(saved);
  }
}
