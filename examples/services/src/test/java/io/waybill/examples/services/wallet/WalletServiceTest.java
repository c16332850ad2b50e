package io.waybill.examples.services.wallet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.waybill.examples.services.RunningService;
import io.waybill.spring.properties.WaybillProperties;
import io.waybill.spring.properties.WaybillProperties.PollMode;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.server.ResponseStatusException;

/** The use cases and the table, without a broker. */
@Tag("server")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WalletServiceTest {
  // A number that a rollback does not give back.
  private static final String LAST_EVENT = "select last_value from outbox_id_seq";

  private RunningService service;
  private Wallets wallets;
  private OutboxService outbox;

  @BeforeAll
  void start() {
    service =
        RunningService.start(
            WalletApplication.class,
            "wallet",
            WebApplicationType.SERVLET,
            Map.of("waybill.relay.enabled", false, "waybill.inbox.enabled", false));
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
    long lastEvent = jdbc.sql(LAST_EVENT).query(Long.class).single();
    jdbc.sql("alter table wallet add constraint most check (cents < 1000000)").update();

    assertThatExceptionOfType(DataIntegrityViolationException.class)
        .isThrownBy(() -> wallets.addFunds(id, 1_000_000));

    jdbc.sql("alter table wallet drop constraint most").update();
    assertThat(jdbc.sql(LAST_EVENT).query(Long.class).single()).isEqualTo(lastEvent + 1);
    assertThat(outbox.getUnsentEvents())
        .filteredOn(event -> id.equals(event.getCorrelationId()))
        .extracting(OutboxEvent::getEventType)
        .containsExactly("WalletCreatedEvent");
    assertThat(
            jdbc.sql("select cents from wallet where id = ?").param(id).query(Long.class).single())
        .isZero();
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
  void theTableIsReadAtTheDocumentedRate() {
    WaybillProperties.Poll poll = service.bean(WaybillProperties.class).poll();

    assertThat(poll.mode()).isEqualTo(PollMode.FIXED_RATE);
    assertThat(poll.interval()).isEqualTo(Duration.ofSeconds(5));
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
    OutboxEvent saved =
        transaction.execute(status -> outbox.saveOutboxEvent("FundsAddedEvent", "{}", null));
    OutboxRepository rows = service.bean(OutboxRepository.class);

    transaction.executeWithoutResult(
        status -> {
          OutboxEvent proxy = rows.getReferenceById(Objects.requireNonNull(saved.getId()));
          assertThat(proxy.getClass()).isNotEqualTo(OutboxEvent.class);
          assertThat(proxy).isEqualTo(saved).hasSameHashCodeAs(saved);
          assertThat(saved).isEqualTo(proxy);
        });
    assertThat(new OutboxEvent("a", "{}", null, null))
        .isNotEqualTo(new OutboxEvent("a", "{}", null, null))
        .hasSameHashCodeAs(saved);
  }
}
