package io.waybill.examples.services.wallet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.waybill.testkit.PostgresServer;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.server.ResponseStatusException;

/** The use cases and the table, without a broker. */
@Tag("server")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WalletServiceTest {
  private PostgresServer postgres;
  private ConfigurableApplicationContext service;
  private Wallets wallets;
  private OutboxService outbox;

  @BeforeAll
  void start() {
    postgres = PostgresServer.launch();
    postgres.createDatabase("wallet");
    service =
        new SpringApplicationBuilder(WalletApplication.class)
            .properties("spring.config.name=wallet")
            .web(WebApplicationType.NONE)
            .bannerMode(Banner.Mode.OFF)
            .run(
                "--spring.datasource.url=" + postgres.jdbcUrl("wallet"),
                "--waybill.relay.enabled=false",
                "--waybill.inbox.enabled=false",
                "--management.tracing.export.enabled=false");
    wallets = service.getBean(Wallets.class);
    outbox = service.getBean(OutboxService.class);
  }

  @AfterAll
  void stop() {
    service.close();
    postgres.close();
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

  @Test
  void anEventOutsideATransactionIsRefused() {
    assertThatExceptionOfType(IllegalTransactionStateException.class)
        .isThrownBy(() -> outbox.saveOutboxEvent("FundsAddedEvent", "{}", null));
  }

  @Test
  void aProxyIsEqualToItsEntity() {
    TransactionTemplate transaction = service.getBean(TransactionTemplate.class);
    OutboxEvent saved =
        transaction.execute(status -> outbox.saveOutboxEvent("FundsAddedEvent", "{}", null));
    OutboxRepository rows = service.getBean(OutboxRepository.class);

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
