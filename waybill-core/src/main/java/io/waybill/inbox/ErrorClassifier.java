package io.waybill.inbox;

import io.waybill.store.StoreException;
import io.waybill.store.TemporaryErrors;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.TimeoutException;

/** Whether a handler's failure may pass. Thread-safe. */
@FunctionalInterface
public interface ErrorClassifier {
  /**
   * Judges a failure.
   *
   * @param failure what the handler threw
   * @return true if trying again can help
   */
  boolean isTemporary(Throwable failure);

  /**
   * By class, along the causes: the first one that says something decides. Temporary are {@link
   * TemporaryException}, SQL exceptions that {@link TemporaryErrors} lists, {@link IOException},
   * {@link TimeoutException}, {@link InterruptedException}, {@link OutOfMemoryError} and transient
   * {@link StoreException}s; permanent are {@link PermanentException} and everything else.
   *
   * @return the default
   */
  static ErrorClassifier ofDefaults() {
    return ByClass::isTemporary;
  }

  /**
   * With further classes that are temporary, asked before this one; their subclasses are, too.
   *
   * @param classes exception classes
   * @return an extended classifier
   */
  default ErrorClassifier alsoTemporary(Set<Class<? extends Throwable>> classes) {
    Set<Class<? extends Throwable>> copy = Set.copyOf(classes);
    return failure -> ByClass.oneOf(copy, failure) || isTemporary(failure);
  }

  /**
   * With further classes that are permanent, asked before this one; their subclasses are, too.
   *
   * @param classes exception classes
   * @return an extended classifier
   */
  default ErrorClassifier alsoPermanent(Set<Class<? extends Throwable>> classes) {
    Set<Class<? extends Throwable>> copy = Set.copyOf(classes);
    return failure -> !ByClass.oneOf(copy, failure) && isTemporary(failure);
  }

  /** The rules of the default. */
  final class ByClass {
    private static final int DEEPEST = 20;

    private ByClass() {}

    static boolean isTemporary(Throwable failure) {
      Throwable cause = failure;
      for (int depth = 0; cause != null && depth < DEEPEST; depth++) {
        if (cause instanceof PermanentException) {
          return false;
        }
        if (saysTemporary(cause)) {
          return true;
        }
        cause = cause.getCause();
      }
      return false;
    }

    private static boolean saysTemporary(Throwable cause) {
      return cause instanceof TemporaryException
          || cause instanceof IOException
          || cause instanceof TimeoutException
          || cause instanceof InterruptedException
          || cause instanceof OutOfMemoryError
          || (cause instanceof StoreException store && store.isTransient())
          || (cause instanceof SQLException sql && TemporaryErrors.isTemporary(sql));
    }

    static boolean oneOf(Set<Class<? extends Throwable>> classes, Throwable failure) {
      Throwable cause = failure;
      for (int depth = 0; cause != null && depth < DEEPEST; depth++) {
        Throwable at = cause;
        if (classes.stream().anyMatch(type -> type.isInstance(at))) {
          return true;
        }
        cause = cause.getCause();
      }
      return false;
    }
  }
}
