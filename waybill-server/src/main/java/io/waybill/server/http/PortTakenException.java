package io.waybill.server.http;

import java.net.SocketException;

/** Health and metrics cannot be served: the address belongs to another process or machine. */
public final class PortTakenException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Says which address, and what to set.
   *
   * @param host address that was to be bound
   * @param port its port
   * @param cause what the machine said
   */
  public PortTakenException(String host, int port, SocketException cause) {
    super(
        "Health and metrics cannot be served at %s:%d: %s. Every relay on a machine needs a port of its own: set http.port or WAYBILL_HTTP_PORT, 0 for any that is free"
            .formatted(host, port, cause.getMessage()),
        cause);
  }
}
