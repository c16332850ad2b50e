package io.waybill.inbox;

import io.waybill.store.DeferredEvent;

/**
 * How a handler failed.
 *
 * @param temporary whether trying again can help
 * @param error class and message, without payload, cut to {@link DeferredEvent#MAX_FAILURE_LENGTH}
 *     characters
 */
public record Failure(boolean temporary, String error) {
  /** Cuts the error. */
  public Failure {
    if (error.length() > DeferredEvent.MAX_FAILURE_LENGTH) {
      error = error.substring(0, DeferredEvent.MAX_FAILURE_LENGTH);
    }
  }

  static Failure of(Throwable thrown, ErrorClassifier classifier) {
    return new Failure(classifier.isTemporary(thrown), describe(thrown));
  }

  /** Class and message; the class alone if that is all that it tells. */
  static String describe(Throwable thrown) {
    String name = thrown.getClass().getName();
    try {
      String message = thrown.getMessage();
      return printable(message == null ? name : name + ": " + message);
    } catch (RuntimeException | Error e) {
      return name;
    }
  }

  // It goes into a text column, a header and a log.
  private static String printable(String text) {
    StringBuilder plain = new StringBuilder(text.length());
    text.codePoints()
        .limit(DeferredEvent.MAX_FAILURE_LENGTH)
        .map(c -> Character.isISOControl(c) || isLoneSurrogate(c) ? ' ' : c)
        .forEach(plain::appendCodePoint);
    return plain.toString();
  }

  private static boolean isLoneSurrogate(int codePoint) {
    return codePoint <= 0xffff && Character.isSurrogate((char) codePoint);
  }
}
