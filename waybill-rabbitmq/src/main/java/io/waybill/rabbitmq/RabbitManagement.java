package io.waybill.rabbitmq;

import java.net.URI;
import java.util.Objects;

/**
 * Access to the management API, the only way to see the properties and policies of queues.
 *
 * @param url address without path, for example {@code http://broker:15672}
 * @param username user with the tag {@code monitoring} or {@code management}
 * @param password its password, never logged
 */
public record RabbitManagement(URI url, String username, String password) {
  /** Checks the address. */
  public RabbitManagement {
    Objects.requireNonNull(username, "username");
    Objects.requireNonNull(password, "password");
    boolean isHttp = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
    if (!isHttp || url.getHost() == null || url.getUserInfo() != null) {
      throw new IllegalArgumentException(
          "management-url must be http(s)://host:port without credentials, has host "
              + url.getHost());
    }
  }

  @Override
  public String toString() {
    return "RabbitManagement[url=" + url + ", username=" + username + ", password=***]";
  }
}
