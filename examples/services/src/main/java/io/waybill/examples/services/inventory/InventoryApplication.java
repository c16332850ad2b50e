package io.waybill.examples.services.inventory;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;

/** The inventory service. What it needs to know of its surroundings: inventory.properties. */
@SpringBootApplication(
    exclude = {HibernateJpaAutoConfiguration.class, DataJpaRepositoriesAutoConfiguration.class})
public class InventoryApplication {
  /**
   * Starts the service alone.
   *
   * @param args properties, as Spring Boot takes them
   */
  public static void main(String[] args) {
    System.setProperty("spring.config.name", "inventory");
    SpringApplication.run(InventoryApplication.class, args);
  }
}
