package io.waybill.spring.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.handler.PermanentException;
import jakarta.persistence.OptimisticLockException;
import jakarta.persistence.PersistenceException;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.hibernate.StaleObjectStateException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.orm.jpa.vendor.HibernateJpaDialect;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.NestedTransactionNotSupportedException;
import org.springframework.transaction.TransactionTimedOutException;
import org.springframework.transaction.UnexpectedRollbackException;

/** Which failures of handlers are tried again. */
class SpringErrorsTest {
  private final SpringErrors errors = new SpringErrors(() -> List.of(new HibernateJpaDialect()));

  static Stream<Throwable> temporary() {
    return Stream.of(
        new CannotAcquireLockException("locked"),
        new IllegalStateException(new CannotAcquireLockException("locked")),
        new CannotCreateTransactionException("no connection"),
        new TransactionTimedOutException("too late"),
        // Of a flush in a handler, which nobody has translated.
        new OptimisticLockException(new StaleObjectStateException("Stock", "1")),
        new IOException("no answer"),
        new IllegalStateException(new SQLException("cut", "08006")));
  }

  @ParameterizedTest
  @MethodSource("temporary")
  void thesePass(Throwable failure) {
    assertThat(errors.isTemporary(failure)).isTrue();
  }

  static Stream<Throwable> permanent() {
    return Stream.of(
        new IllegalStateException("sold out"),
        new DuplicateKeyException("there"),
        new PersistenceException("odd"),
        new UnexpectedRollbackException("marked"),
        new PermanentException("given up", new CannotAcquireLockException("locked")),
        new NestedTransactionNotSupportedException("no savepoints"),
        new CannotCreateTransactionException(
            "not opened", new IllegalTransactionStateException("another manager's connection")));
  }

  @ParameterizedTest
  @MethodSource("permanent")
  void theseDoNot(Throwable failure) {
    assertThat(errors.isTemporary(failure)).isFalse();
  }

  @Test
  void itNeedsNoTranslators() {
    assertThat(new SpringErrors(List::of).isTemporary(new OptimisticLockException())).isFalse();
  }
}
