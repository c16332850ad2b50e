package io.waybill.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.database.ConnectionFactory;
import io.waybill.internal.jdbc.outbox.PostgresOptions;
import io.waybill.internal.jdbc.outbox.PostgresOutbox;
import io.waybill.message.Event;
import io.waybill.message.InvalidEventException;
import io.waybill.outbox.DuplicateEventException;
import io.waybill.outbox.Outbox;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Each kind of transaction, and what becomes of an event in it. */
class TransactionTableTest extends TransactionCase {
  @Test
  void anEventIsThereWhenItsTransactionCommits() {
    required()
        .executeWithoutResult(
            status -> {
              outbox.append(event("first"));
              outbox.append(List.of(event("second"), event("third")));
              assertThat(tables.types()).isEmpty();
            });

    assertThat(tables.types()).containsExactly("first", "second", "third");
    assertThat(commits).as("signals per transaction").hasValue(1);
  }

  @Test
  void withoutATransactionAnEventIsRefused() {
    assertThatExceptionOfType(IllegalTransactionStateException.class)
        .isThrownBy(() -> outbox.append(event("lost")))
        .withMessageContaining("No transaction is active")
        .withMessageContaining("@Transactional");
    for (String none : List.of("SUPPORTS", "NOT_SUPPORTED", "NEVER")) {
      TransactionTemplate template = required();
      template.setPropagationBehaviorName("PROPAGATION_" + none);
      assertThatExceptionOfType(IllegalTransactionStateException.class)
          .isThrownBy(() -> template.executeWithoutResult(status -> outbox.append(event("lost"))));
    }
    assertThat(tables.types()).isEmpty();
  }

  @Test
  void aRollbackTakesItsEventsWithIt() {
    assertThatThrownBy(
            () ->
                required()
                    .executeWithoutResult(
                        status -> {
                          outbox.append(event("undone"));
                          throw new IllegalStateException("business");
                        }))
        .hasMessage("business");

    assertThat(tables.types()).isEmpty();
    assertThat(commits).hasValue(0);
  }

  @Test
  void aNestedCallJoinsTheTransactionAroundIt() {
    required()
        .executeWithoutResult(
            status -> {
              outbox.append(event("outer"));
              required().executeWithoutResult(inner -> outbox.append(event("inner")));
              assertThat(tables.types()).isEmpty();
            });

    assertThat(tables.types()).containsExactly("outer", "inner");
    assertThat(commits).hasValue(1);
  }

  @Test
  void requiresNewCommitsForItself() {
    assertThatThrownBy(
            () ->
                required()
                    .executeWithoutResult(
                        status -> {
                          outbox.append(event("outer"));
                          propagation(TransactionDefinition.PROPAGATION_REQUIRES_NEW)
                              .executeWithoutResult(inner -> outbox.append(event("apart")));
                          outbox.append(event("outer"));
                          throw new IllegalStateException("business");
                        }))
        .hasMessage("business");

    assertThat(tables.types()).containsExactly("apart");
    assertThat(commits).hasValue(1);
  }

  @Test
  void aSavepointTakesBackWhatCameAfterIt() {
    required()
        .executeWithoutResult(
            status -> {
              outbox.append(event("before"));
              assertThatThrownBy(
                      () ->
                          propagation(TransactionDefinition.PROPAGATION_NESTED)
                              .executeWithoutResult(
                                  nested -> {
                                    outbox.append(event("undone"));
                                    throw new IllegalStateException("business");
                                  }))
                  .hasMessage("business");
              outbox.append(event("after"));
            });

    assertThat(tables.types()).containsExactly("before", "after");
  }

  @Test
  void aReadOnlyTransactionRefusesEvents() {
    TransactionTemplate readOnly = required();
    readOnly.setReadOnly(true);

    assertThatExceptionOfType(IllegalTransactionStateException.class)
        .isThrownBy(() -> readOnly.executeWithoutResult(status -> outbox.append(event("lost"))))
        .withMessageContaining("read-only");
    assertThat(tables.types()).isEmpty();
  }

  @Test
  void aDataSourceBehindSpringsProxyIsTheSame() {
    SpringOutbox proxied =
        SpringOutbox.joining(
            new TransactionAwareDataSourceProxy(pool),
            Outbox.of(
                PostgresOutbox.of(ConnectionFactory.of(pool), PostgresOptions.ofDefaults())
                    .append()),
            () -> null);

    required().executeWithoutResult(status -> proxied.append(event("first")));

    assertThat(tables.types()).containsExactly("first");
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21)
  void virtualThreadsHaveTransactionsOfTheirOwn() throws Exception {
    ExecutorService threads =
        (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    inParallel(threads);
  }

  @Test
  void threadsHaveTransactionsOfTheirOwn() throws Exception {
    inParallel(Executors.newFixedThreadPool(8));
  }

  private void inParallel(ExecutorService threads) throws Exception {
    List<Callable<Void>> work =
        IntStream.range(0, 40)
            .mapToObj(
                number ->
                    (Callable<Void>)
                        () -> {
                          required()
                              .executeWithoutResult(
                                  status -> outbox.append(event("order." + number)));
                          return null;
                        })
            .toList();
    try {
      for (Future<Void> each : threads.invokeAll(work)) {
        each.get();
      }
    } finally {
      threads.shutdown();
    }
    assertThat(tables.types()).hasSize(40).doesNotHaveDuplicates();
  }

  @Test
  void aPoolOfOneConnectionIsEnough() {
    pool.close();
    use(tables.pool(1, autoCommit));

    for (int i = 0; i < 5; i++) {
      required().executeWithoutResult(status -> outbox.append(event("order")));
    }

    assertThat(tables.types()).hasSize(5);
    // A second transaction inside the first would wait for its connection: the pool refuses it.
    assertThatExceptionOfType(CannotCreateTransactionException.class)
        .isThrownBy(
            () ->
                required()
                    .executeWithoutResult(
                        status ->
                            propagation(TransactionDefinition.PROPAGATION_REQUIRES_NEW)
                                .executeWithoutResult(inner -> outbox.append(event("lost")))));
  }

  @Test
  void whatTheOutboxRefusesReachesTheCaller() {
    Event once = event("once");
    required().executeWithoutResult(status -> outbox.append(once));

    assertThatExceptionOfType(DuplicateEventException.class)
        .isThrownBy(() -> required().executeWithoutResult(status -> outbox.append(once)));
    assertThatExceptionOfType(InvalidEventException.class)
        .isThrownBy(() -> required().executeWithoutResult(status -> outbox.append(event(""))));
    assertThat(tables.types()).containsExactly("once");
  }

  @Test
  void nothingIsAddedToATransactionWithoutEvents() {
    required()
        .executeWithoutResult(
            status -> {
              outbox.append(List.of());
              assertThat(TransactionSynchronizationManager.getSynchronizations()).isEmpty();
              assertThat(TransactionSynchronizationManager.getResourceMap()).containsOnlyKeys(pool);
            });
    assertThat(commits).hasValue(0);
  }
}
