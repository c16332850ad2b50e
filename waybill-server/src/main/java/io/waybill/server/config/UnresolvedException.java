package io.waybill.server.config;

/** A placeholder that stands for nothing; the message is a rule without any resolved text. */
final class UnresolvedException extends Exception {
  private static final long serialVersionUID = 1L;

  UnresolvedException(String rule) {
    super(rule);
  }

  String rule() {
    return String.valueOf(getMessage());
  }
}
