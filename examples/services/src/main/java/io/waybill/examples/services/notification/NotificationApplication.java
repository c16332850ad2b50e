package io.waybill.examples.services.notification;

import java.util.Arrays;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;

/**
 * The notification service. What it needs to know of its surroundings stands in
 * notification.properties.
 */
@SpringBootApplication(
    exclude = {HibernateJpaAutoConfiguration.class, DataJpaRepositoriesAutoConfiguration.class})
public class NotificationApplication {
  /** The topic exchange that all events go to. */
  public static final String EXCHANGE = "notifications.exchange";

  /**
   * Starts the service alone.
   *
   * @param args properties, as Spring Boot takes them
   */
  public static void main(String[] args) {
    System.setProperty("spring.config.name", "notification");
    SpringApplication.run(NotificationApplication.class, args);
  }

  /**
   * The queues that events are routed to, each bound under its own name.
   *
   * @return names of queues
   */
  public static List<String> queues() {
    return Arrays.stream(Recipients.values()).map(Recipients::queue).toList();
  }
}
