package io.waybill.rabbitmq.internal;

/** Words for exceptions of the client library. */
public final class Failures {
  private Failures() {}

  /** Class and message of the innermost cause: the outer ones of amqp-client say nothing. */
  public static String describe(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    String message = root.getMessage();
    String name = root.getClass().getSimpleName();
    return message == null ? name : name + ": " + message;
  }
}
