package io.waybill.internal.store;

import io.waybill.store.RefusedCommitException;
import io.waybill.store.StoreException;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Describes errors for logs, dead letters and tables, without values of rows or payloads.
 * Thread-safe.
 *
 * <p>It keeps text that people have written: messages of an application's own exceptions, of
 * triggers and procedures ({@code raise}, {@code signal}). It leaves out text that a server, driver
 * or mapper composes from values. Of an SQL error it keeps class, SQLState, vendor code and the
 * names of constraint, table and column; also the server's first line, if that is only about
 * connections, locks, privileges, names and resources. An exception that wraps such an error often
 * repeats its text, so the wrapper's text is left out as well.
 */
public final class ErrorText {
  // PostgreSQL's details, and the statements that some drivers add, stand behind the first line.
  private static final Set<String> SPEAKING =
      Set.of("08", "0A", "25", "28", "3D", "40", "42", "45", "53", "55", "57", "58", "70", "P0");
  // Syntax errors show a piece of the statement; MySQL has no other state for them.
  private static final Set<String> QUOTING_STATES = Set.of("42601", "42000");
  // They show what they could not read.
  private static final Set<String> QUOTING_CLASSES =
      Set.of(
          "com.fasterxml.jackson.core.JacksonException",
          "com.fasterxml.jackson.core.JsonProcessingException",
          "tools.jackson.core.JacksonException",
          "com.google.gson.JsonParseException",
          "jakarta.json.JsonException",
          "jakarta.json.bind.JsonbException",
          "org.apache.kafka.common.errors.SerializationException",
          "org.springframework.core.convert.ConversionException");
  private static final int DEEPEST = 20;
  private static final int MOST_CHARS = 500;

  private ErrorText() {}

  /**
   * Describes an error.
   *
   * @param thrown the error
   * @return class and safe text of the error and its causes
   */
  public static String of(Throwable thrown) {
    return of(thrown, own -> false, sql -> "");
  }

  /**
   * Describes an error, with a database's details about its SQL errors.
   *
   * @param thrown the error
   * @param own whether an exception's message was written for readers of logs
   * @param names the result of {@link io.waybill.store.InboxStore#names} for an SQL error
   * @return class and safe text of the error and its causes
   */
  public static String of(
      Throwable thrown, Predicate<Throwable> own, Function<SQLException, String> names) {
    if (thrown instanceof SQLException sql && sql.getSQLState() != null) {
      return sql(sql, names);
    }
    String name = thrown.getClass().getName();
    Throwable quoting = quoting(thrown);
    if (quoting == null) {
      return withMessage(thrown);
    }
    if (quoting == thrown) {
      return name + behind(quoting);
    }
    return (isOwn(thrown, own) ? withMessage(thrown) : name)
        + ", caused by "
        + cause(quoting, names);
  }

  private static String withMessage(Throwable thrown) {
    String name = thrown.getClass().getName();
    String message = thrown.getMessage();
    return message == null ? name : name + ": " + message;
  }

  /**
   * Describes a failure of the store.
   *
   * @param failure the exception of the store
   * @return the failed action, and safe text of its cause
   */
  public static String reason(StoreException failure) {
    Throwable cause = failure.getCause();
    return cause == null
        ? String.valueOf(failure.getMessage())
        : failure.getMessage() + ": " + of(cause);
  }

  private static boolean isOwn(Throwable thrown, Predicate<Throwable> own) {
    return thrown instanceof StoreException
        || thrown instanceof RefusedCommitException
        || own.test(thrown);
  }

  private static String cause(Throwable quoting, Function<SQLException, String> names) {
    return quoting instanceof SQLException sql && sql.getSQLState() != null
        ? sql(sql, names)
        : quoting.getClass().getName() + behind(quoting);
  }

  /** What a mapper has met may be the application's own refusal. */
  private static String behind(Throwable quoting) {
    Throwable cause = quoting.getCause();
    return cause == null || quoting(cause) != null ? "" : ", caused by " + withMessage(cause);
  }

  /** What shows values among an error and its causes, a SQL error with a state before others. */
  private static @Nullable Throwable quoting(Throwable thrown) {
    Throwable found = null;
    Throwable cause = thrown;
    for (int depth = 0; cause != null && depth < DEEPEST; depth++) {
      if (cause instanceof SQLException sql && sql.getSQLState() != null) {
        return sql;
      }
      if (found == null && isQuoting(cause)) {
        found = cause;
      }
      cause = cause.getCause();
    }
    return found;
  }

  private static boolean isQuoting(Throwable thrown) {
    if (thrown instanceof SQLException || isOfTheJdk(thrown)) {
      return true;
    }
    Class<?> type = thrown.getClass();
    while (type != null && !QUOTING_CLASSES.contains(type.getName())) {
      type = type.getSuperclass();
    }
    return type != null;
  }

  /** A number, a time, an id or a constant that could not be read; the application's own tell. */
  private static boolean isOfTheJdk(Throwable thrown) {
    StackTraceElement[] frames = thrown.getStackTrace();
    return (thrown instanceof IllegalArgumentException || thrown instanceof DateTimeException)
        && frames.length > 0
        && frames[0].getClassName().startsWith("java.");
  }

  private static String sql(SQLException thrown, Function<SQLException, String> names) {
    SQLException sql = thrown;
    // A batch shows its statement with the values; what failed in it stands behind.
    for (int depth = 0; sql instanceof BatchUpdateException && depth < DEEPEST; depth++) {
      SQLException next = sql.getNextException();
      if (next == null && sql.getCause() instanceof SQLException cause) {
        next = cause;
      }
      if (next == null) {
        break;
      }
      sql = next;
    }
    String code = sql.getErrorCode() == 0 ? "" : ", error " + sql.getErrorCode();
    return "%s (SQLState %s%s%s)%s"
        .formatted(
            sql.getClass().getName(), sql.getSQLState(), code, names.apply(sql), firstLine(sql));
  }

  private static String firstLine(SQLException sql) {
    String state = String.valueOf(sql.getSQLState());
    if (sql instanceof BatchUpdateException
        || state.length() != 5
        || QUOTING_STATES.contains(state)
        || !SPEAKING.contains(state.substring(0, 2))) {
      return "";
    }
    String line = String.valueOf(sql.getMessage()).lines().findFirst().orElse("");
    return ": " + (line.length() > MOST_CHARS ? line.substring(0, MOST_CHARS) : line);
  }
}
