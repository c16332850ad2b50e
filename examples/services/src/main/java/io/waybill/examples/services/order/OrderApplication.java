package io.waybill.examples.services.order;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;

/** The order service. What it needs to know of its surroundings stands in order.properties. */
@SpringBootApplication(
    exclude = {HibernateJpaAutoConfiguration.class, DataJpaRepositoriesAutoConfiguration.class})
public class OrderApplication {
  /**
   * Starts the service alone.
   *
   * @param args properties, as Spring Boot takes them
   */
  public static void main(String[] args) {
    System.setProperty("spring.config.name", "order");
    SpringApplication.run(OrderApplication.class, args);
  }
}
