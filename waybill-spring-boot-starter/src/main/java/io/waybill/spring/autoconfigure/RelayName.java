package io.waybill.spring.autoconfigure;

import org.springframework.core.env.Environment;

/** Name of the relay in tables, logs and threads. */
record RelayName(String value) {
  static RelayName of(WaybillProperties properties, Environment environment) {
    String given = properties.relay().name();
    if (given != null) {
      return new RelayName(given);
    }
    String application = environment.getProperty("spring.application.name", "relay");
    return new RelayName(application + "-" + ProcessHandle.current().pid());
  }
}
