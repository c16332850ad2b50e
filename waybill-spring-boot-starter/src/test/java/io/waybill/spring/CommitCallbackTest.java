package io.waybill.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.waybill.database.ConnectionFactory;
import io.waybill.internal.jdbc.outbox.PostgresOptions;
import io.waybill.internal.jdbc.outbox.PostgresOutbox;
import io.waybill.message.Event;
import io.waybill.message.EventLimits;
import io.waybill.outbox.Outbox;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.PriorityOrdered;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Events that the callbacks of a transaction append, around its commit. */
@Tag("server")
@ExtendWith(OutputCaptureExtension.class)
class CommitCallbackTest {
  private static final String TOLD = "appended after its transaction had been committed";

  private final Tables tables = Tables.create();
  private final AtomicInteger commits = new AtomicInteger();
  private HikariDataSource pool;
  private TransactionTemplate transaction;
  private SpringOutbox outbox;

  @BeforeEach
  void begin() {
    pool = tables.pool(2);
    transaction = new TransactionTemplate(new DataSourceTransactionManager(pool));
    outbox =
        SpringOutbox.joining(
            pool,
            new Outbox(
                PostgresOutbox.of(ConnectionFactory.of(pool), PostgresOptions.ofDefaults())
                    .append(),
                EventLimits.ofDefaults(),
                commits::incrementAndGet),
            () -> null);
  }

  @AfterEach
  void end() {
    pool.close();
  }

  private void append(String type) {
    outbox.append(Event.builder(type, "order", "42").json("{}").build());
  }

  private void in(TransactionSynchronization callback) {
    transaction.executeWithoutResult(
        status -> TransactionSynchronizationManager.registerSynchronization(callback));
  }

  @Test
  void anEventOfBeforeCommitIsOneOfTheTransaction(CapturedOutput output) {
    in(
        new TransactionSynchronization() {
          @Override
          public void beforeCommit(boolean readOnly) {
            append("in time");
          }
        });

    assertThat(tables.types()).containsExactly("in time");
    assertThat(commits).hasValue(1);
    assertThat(output).doesNotContain(TOLD);
  }

  @Test
  void anEventOfBeforeCompletionIsOneOfTheTransaction(CapturedOutput output) {
    in(
        new TransactionSynchronization() {
          @Override
          public void beforeCompletion() {
            append("in time");
          }
        });

    assertThat(tables.types()).containsExactly("in time");
    assertThat(output).doesNotContain(TOLD);
  }

  @Test
  void theFirstEventAfterTheCommitIsTold(CapturedOutput output) {
    in(
        new TransactionSynchronization() {
          @Override
          public void afterCommit() {
            append("late");
          }
        });

    assertThat(output).contains(TOLD);
  }

  @Test
  void aCallbackThatFailsAfterTheCommitMakesNoAlarm(CapturedOutput output) {
    assertThatThrownBy(
            () ->
                transaction.executeWithoutResult(
                    status -> {
                      TransactionSynchronizationManager.registerSynchronization(new Failing());
                      append("in time");
                    }))
        .hasMessage("callback");

    assertThat(tables.types()).containsExactly("in time");
    assertThat(output).doesNotContain(TOLD);
  }

  /** Ahead of all others. */
  private static final class Failing implements TransactionSynchronization, PriorityOrdered {
    @Override
    public int getOrder() {
      return HIGHEST_PRECEDENCE;
    }

    @Override
    public void afterCommit() {
      throw new IllegalStateException("callback");
    }
  }
}
