package io.waybill.spring.autoconfigure;

import io.waybill.spring.internal.keys.Problems;
import io.waybill.spring.properties.InboxProperties;
import java.util.List;
import org.springframework.core.env.Environment;

/** Name of the consumer in tables, logs, threads and meters, and Kafka's group. */
record ConsumerName(String value) {
  static ConsumerName of(InboxProperties properties, Environment environment) {
    String given = properties.consumer();
    String name = given == null ? environment.getProperty("spring.application.name") : given;
    if (name == null || name.isBlank()) {
      throw Problems.failure(
          List.of("waybill.inbox.consumer must be given, or spring.application.name"), null);
    }
    return new ConsumerName(name);
  }
}
