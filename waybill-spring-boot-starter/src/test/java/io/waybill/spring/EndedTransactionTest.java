package io.waybill.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionTimedOutException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Events after the end of their transaction, or after its time. */
class EndedTransactionTest extends TransactionCase {
  @Test
  void afterTheCommitAnEventIsRefused() {
    AtomicInteger refused = new AtomicInteger();
    required()
        .executeWithoutResult(
            status -> {
              outbox.append(event("in time"));
              whenOver(
                  () ->
                      assertThatExceptionOfType(IllegalTransactionStateException.class)
                          .isThrownBy(() -> outbox.append(event("late")))
                          .satisfies(e -> refused.incrementAndGet()));
            });

    assertThat(refused).as("after commit and after completion").hasValue(2);
    assertThat(tables.types()).containsExactly("in time");
  }

  @Test
  void afterTheCommitATransactionOfItsOwnIsFine() {
    required()
        .executeWithoutResult(
            status -> {
              outbox.append(event("in time"));
              TransactionSynchronizationManager.registerSynchronization(
                  new TransactionSynchronization() {
                    @Override
                    public void afterCommit() {
                      propagation(TransactionDefinition.PROPAGATION_REQUIRES_NEW)
                          .executeWithoutResult(inner -> outbox.append(event("later")));
                    }
                  });
            });

    assertThat(tables.types()).containsExactly("in time", "later");
    assertThat(commits).hasValue(2);
  }

  private static void whenOver(Runnable step) {
    TransactionSynchronizationManager.registerSynchronization(
        new TransactionSynchronization() {
          @Override
          public void afterCommit() {
            step.run();
          }

          @Override
          public void afterCompletion(int status) {
            step.run();
          }
        });
  }

  @Test
  void aTransactionWhoseTimeIsUpTakesNoMoreEvents() {
    TransactionTemplate brief = required();
    brief.setTimeout(1);

    assertThatExceptionOfType(TransactionTimedOutException.class)
        .isThrownBy(
            () ->
                brief.executeWithoutResult(
                    status -> {
                      pgSleep();
                      outbox.append(event("late"));
                    }));
    assertThat(tables.types()).isEmpty();
  }

  /** Beside the transaction, whose statements have its time limit. */
  private static void pgSleep() {
    tables.texts("select pg_sleep(1.1)");
  }
}
