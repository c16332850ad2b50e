package io.waybill.examples.first;

import org.springframework.boot.SpringApplication;

/** Starts the shop. */
public final class FirstEvent {
  private FirstEvent() {}

  /**
   * Runs until it is ended.
   *
   * @param args properties, as {@code --name=value}
   */
  public static void main(String[] args) {
    SpringApplication.run(Shop.class, args);
  }
}
