package io.waybill.examples.services.wallet;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

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
}
