package io.waybill.internal.inbox.attempt;

import io.waybill.handler.PermanentException;
import io.waybill.handler.TemporaryException;
import io.waybill.internal.store.ErrorText;
import io.waybill.store.DeferredEvent;
import io.waybill.store.StoreException;
import java.sql.SQLException;
import java.util.function.Function;

/**
 * The failure of a handler.
 *
 * @param temporary whether trying again can help
 * @param error its description by {@link ErrorText}, cut to {@link
 *     DeferredEvent#MAX_FAILURE_LENGTH} characters
 */
public record Failure(boolean temporary, String error) {
  /** Cuts the error. */
  public Failure {
    if (error.length() > DeferredEvent.MAX_FAILURE_LENGTH) {
      error = error.substring(0, DeferredEvent.MAX_FAILURE_LENGTH);
    }
  }

  /** The text that logs and tables have of an error; its class alone if it has no message. */
  public static String describe(Throwable thrown) {
    return describe(thrown, sql -> "");
  }

  /** The same with the names that a SQL error is about. */
  public static String describe(Throwable thrown, Function<SQLException, String> names) {
    try {
      return printable(
          thrown instanceof StoreException store
              ? ErrorText.reason(store)
              : withoutPlainClass(thrown, ErrorText.of(thrown, Failure::isForPeople, names)));
    } catch (RuntimeException | Error e) {
      return thrown.getClass().getName();
    }
  }

  /** The class of a subclass tells more than the reason does; these two do not. */
  private static String withoutPlainClass(Throwable thrown, String text) {
    Class<?> type = thrown.getClass();
    String prefix = type.getName() + ": ";
    boolean plain = type == TemporaryException.class || type == PermanentException.class;
    return plain && text.startsWith(prefix) ? text.substring(prefix.length()) : text;
  }

  private static boolean isForPeople(Throwable thrown) {
    return thrown instanceof TemporaryException || thrown instanceof PermanentException;
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
