package io.waybill.spring.inbox;

import io.waybill.handler.ErrorClassifier;
import io.waybill.handler.PermanentException;
import io.waybill.handler.TemporaryException;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.dao.support.PersistenceExceptionTranslator;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.NestedTransactionNotSupportedException;
import org.springframework.transaction.TransactionTimedOutException;
import org.springframework.transaction.TransactionUsageException;

/**
 * Decides which failures of handlers may be temporary, by Spring's exception classes. It translates
 * exceptions that JPA throws when a handler flushes or queries, as Spring does for repositories and
 * commits. Thread-safe.
 */
public final class SpringErrors implements ErrorClassifier {
  private static final int DEEPEST = 20;
  private static final ErrorClassifier USUAL = ErrorClassifier.ofDefaults();
  private static final Set<Class<? extends Throwable>> TEMPORARY =
      Set.of(
          TemporaryException.class,
          TransientDataAccessException.class,
          RecoverableDataAccessException.class,
          CannotCreateTransactionException.class,
          TransactionTimedOutException.class);

  /** Also as the cause that a transaction cannot be created: to try again does not help. */
  private static final Set<Class<? extends Throwable>> PERMANENT =
      Set.of(
          PermanentException.class,
          TransactionUsageException.class,
          NestedTransactionNotSupportedException.class);

  private final Supplier<List<PersistenceExceptionTranslator>> translators;

  /**
   * Judges with the application's translators.
   *
   * @param translators of JPA, for example
   */
  public SpringErrors(Supplier<List<PersistenceExceptionTranslator>> translators) {
    this.translators = translators;
  }

  @Override
  public boolean isTemporary(Throwable failure) {
    return !has(failure, PERMANENT)
        && (has(failure, TEMPORARY) || isTranslated(failure) || USUAL.isTemporary(failure));
  }

  private boolean isTranslated(Throwable failure) {
    return failure instanceof RuntimeException thrown
        && translators.get().stream()
            .map(translator -> translator.translateExceptionIfPossible(thrown))
            .anyMatch(translated -> translated != null && is(translated, TEMPORARY));
  }

  private static boolean has(Throwable failure, Set<Class<? extends Throwable>> classes) {
    Throwable cause = failure;
    for (int depth = 0; cause != null && depth < DEEPEST; depth++) {
      if (is(cause, classes)) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }

  private static boolean is(Throwable cause, Set<Class<? extends Throwable>> classes) {
    return classes.stream().anyMatch(type -> type.isInstance(cause));
  }
}
