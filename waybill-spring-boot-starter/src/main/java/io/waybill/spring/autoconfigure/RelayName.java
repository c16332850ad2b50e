package io.waybill.spring.autoconfigure;

import io.waybill.spring.properties.WaybillProperties;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.springframework.core.env.Environment;

/**
 * Name of the relay in tables, logs and threads.
 *
 * @param value the name
 */
public record RelayName(String value) {
  private static final int LONGEST = 80;

  /**
   * The given name, or application, host and process id: in containers each process has the same
   * id.
   */
  static RelayName of(WaybillProperties properties, Environment environment) {
    String given = properties.relay().name();
    if (given != null) {
      return new RelayName(given);
    }
    String application = environment.getProperty("spring.application.name", "");
    String name =
        (application.isEmpty() ? host() : application + "-" + host())
            .replaceAll("[^A-Za-z0-9._-]", "-");
    String pid = Long.toString(ProcessHandle.current().pid());
    return new RelayName(name.substring(0, Math.min(name.length(), LONGEST)) + "-" + pid);
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "relay";
    }
  }
}
