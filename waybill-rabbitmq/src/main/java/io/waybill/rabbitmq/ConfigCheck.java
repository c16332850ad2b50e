package io.waybill.rabbitmq;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The rules of {@link RabbitPublisherConfig}. */
final class ConfigCheck {
  private static final Set<String> CLIENT_PROPERTIES =
      new TreeSet<>(Set.of("connection_name", "application", "environment", "instance", "version"));
  private static final Pattern ADDRESS =
      Pattern.compile("(\\[[^]\\s]+]|[^:\\s\\[\\]]+):(\\d{1,5})");

  private final List<String> errors = new ArrayList<>();

  private ConfigCheck() {}

  static List<String> errors(RabbitPublisherConfig config) {
    ConfigCheck check = new ConfigCheck();
    check.identity(config);
    check.number("connections", config.connections(), 1, 16);
    check.number("window", config.window(), 1, 65_536);
    check.number("maxMessageBytes", config.maxMessageBytes(), 1, 512 * 1024 * 1024);
    check.number("maxInFlightPerKey", config.maxInFlightPerKey(), 1, 65_536);
    check.duration("confirmTimeout", config.confirmTimeout(), 100, 600_000);
    check.duration("connectTimeout", config.connectTimeout(), 100, 120_000);
    check.duration("heartbeat", config.heartbeat(), 1000, 600_000);
    check.duration("maxBackoff", config.maxBackoff(), 10, 600_000);
    if (config.heartbeat().toNanosPart() != 0) {
      check.errors.add("heartbeat must be whole seconds, is " + config.heartbeat());
    }
    return check.errors;
  }

  private void identity(RabbitPublisherConfig config) {
    if (config.addresses().isEmpty()) {
      errors.add("addresses must name at least one broker, is empty");
    }
    for (String address : config.addresses()) {
      Matcher matcher = ADDRESS.matcher(address);
      if (!matcher.matches() || !isPort(matcher.group(2))) {
        errors.add("addresses must be host:port each, has '" + address + "'");
      }
    }
    if (config.virtualHost().isEmpty()) {
      errors.add("virtualHost must not be empty");
    }
    credentials(config);
    PlaintextPasswords.of(config).ifPresent(errors::add);
    for (String name : config.clientProperties().keySet()) {
      if (!CLIENT_PROPERTIES.contains(name)) {
        errors.add("clientProperties may hold " + CLIENT_PROPERTIES + ", has '" + name + "'");
      }
    }
  }

  private void credentials(RabbitPublisherConfig config) {
    RabbitTls tls = config.tls();
    if (config.credentials() instanceof RabbitCredentials.Password password) {
      if (password.username().isEmpty() || password.password().isEmpty()) {
        errors.add("credentials must have a user name and a password, one is empty");
      }
    } else if (tls == null || (tls.keys() == null && tls.given() == null)) {
      errors.add("credentials by certificate need tls with a key store");
    }
  }

  private void number(String name, int value, int least, int most) {
    if (value < least || value > most) {
      errors.add("%s must be %d to %d, is %d".formatted(name, least, most, value));
    }
  }

  private void duration(String name, Duration value, long least, long most) {
    if (value.compareTo(Duration.ofMillis(least)) < 0
        || value.compareTo(Duration.ofMillis(most)) > 0) {
      errors.add(
          "%s must be %s to %s, is %s"
              .formatted(name, Duration.ofMillis(least), Duration.ofMillis(most), value));
    }
  }

  private static boolean isPort(String digits) {
    int port = Integer.parseInt(digits);
    return port > 0 && port < 65_536;
  }
}
