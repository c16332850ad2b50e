package io.waybill.examples.services.wallet;

import io.waybill.layout.Layout;
import io.waybill.layout.PayloadKind;
import io.waybill.layout.StateColumn;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** The wallet service. What it needs to know of its surroundings stands in wallet.properties. */
@SpringBootApplication
public class WalletApplication {
  /**
   * Starts the service alone.
   *
   * @param args properties, as Spring Boot takes them
   */
  public static void main(String[] args) {
    System.setProperty("spring.config.name", "wallet");
    SpringApplication.run(WalletApplication.class, args);
  }

  /** The documented table with a column for the trace, which the document does not have. */
  @Bean
  Layout outboxTable() {
    return Layout.builder("wallet", "outbox")
        .singleKey("correlation_id", "correlation")
        .payload("payload", PayloadKind.TEXT)
        .context("correlation_id", null, "traceparent")
        .state(new StateColumn.Flag("sent"))
        .build();
  }
}
