package io.waybill.spring.autoconfigure;

import java.util.Map;
import java.util.TreeMap;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Levels of Kafka's clients that an application has not set itself. Each client writes its whole
 * configuration at its start, and while no broker answers, thousands of lines in a second. Waybill
 * says itself that a broker is away, and that it is back.
 */
final class KafkaLogLevels implements EnvironmentPostProcessor, Ordered {
  private static final String KEY = "logging.level.";
  private static final Map<String, String> DEFAULTS =
      Map.of(
          "org.apache.kafka", "warn",
          // Warns of each attempt to connect.
          "org.apache.kafka.clients.NetworkClient", "error");

  /** For Spring, which makes it by its name in {@code spring.factories}. */
  KafkaLogLevels() {}

  @Override
  public int getOrder() {
    // After the application's files and profiles are read.
    return LOWEST_PRECEDENCE;
  }

  @Override
  public void postProcessEnvironment(
      ConfigurableEnvironment environment, SpringApplication application) {
    Map<String, Object> levels = new TreeMap<>();
    DEFAULTS.forEach(
        (logger, level) -> {
          if (!isSet(environment, logger)) {
            levels.put(KEY + logger, level);
          }
        });
    environment.getPropertySources().addLast(new MapPropertySource("waybillLogLevels", levels));
  }

  /** Whether the application has a level for the logger or a package that it is in. */
  private static boolean isSet(ConfigurableEnvironment environment, String logger) {
    for (String name = logger; !name.isEmpty(); name = parent(name)) {
      if (environment.containsProperty(KEY + name)) {
        return true;
      }
    }
    return false;
  }

  private static String parent(String name) {
    return name.substring(0, Math.max(0, name.lastIndexOf('.')));
  }
}
