package io.waybill.server.relay;

/** Health and metrics cannot be served: the address belongs to another process or machine. */
public final class PortTakenException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  PortTakenException(String address, int port, String reason, Throwable cause) {
    super(
        ("Health and metrics cannot be served at %s:%d: %s. Every relay on a machine needs its own"
                + " port: set server.port or SERVER_PORT, 0 for any free port")
            .formatted(address, port, reason),
        cause);
  }
}
