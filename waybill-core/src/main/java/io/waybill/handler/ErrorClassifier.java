package io.waybill.handler;

import io.waybill.internal.store.TemporaryErrors;
import io.waybill.store.StoreException;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.TimeoutException;

/** Decides whether a handler's failure is temporary. Thread-safe. */
@FunctionalInterface
public interface ErrorClassifier {
  /**
   * Judges a failure.
   *
   * @param failure the exception of the handler
   * @return true if trying again can help
   */
  boolean isTemporary(Throwable failure);

  /**
   * Decides by class, along the causes: the first class with a rule decides. These are temporary:
   * {@link TemporaryException}, SQL exceptions that {@link TemporaryErrors} lists, {@link
   * IOException}, {@link TimeoutException}, {@link InterruptedException}, {@link OutOfMemoryError}
   * and transient {@link StoreException}s. {@link PermanentException} and everything else are
   * permanent.
   *
   * @return the default
   */
  static ErrorClassifier ofDefaults() {
    return ByClass::isTemporary;
  }

  /**
   * Adds classes of temporary failures, which are checked before this classifier. Their subclasses
   * count too.
   *
   * @param classes exception classes
   * @return an extended classifier
   */
  default ErrorClassifier alsoTemporary(Set<Class<? extends Throwable>> classes) {
    Set<Class<? extends Throwable>> copy = Set.copyOf(classes);
    return failure -> ByClass.oneOf(copy, failure) || isTemporary(failure);
  }

  /**
   * Adds classes of permanent failures, which are checked before this classifier. Their subclasses
   * count too.
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
