package io.waybill.server.config;

/**
 * A text with its placeholders resolved.
 *
 * @param text the value
 * @param written the value as written, with its placeholders
 * @param origin line or environment variable
 * @param outside whether it came from the environment or a file of its own
 */
record RawValue(String text, String written, String origin, boolean outside) {
  RawValue fromOutside() {
    return new RawValue(text, written, origin, true);
  }

  /** What may be shown: never what a placeholder stands for. */
  String shown() {
    return written;
  }

  @Override
  public String toString() {
    return written;
  }
}
