package io.waybill.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.waybill.database.ConnectionFactory;
import io.waybill.internal.jdbc.outbox.PostgresOptions;
import io.waybill.internal.jdbc.outbox.PostgresOutbox;
import io.waybill.message.Event;
import io.waybill.outbox.Outbox;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** An event commits with the transaction that runs, or is refused, whosever transactions run. */
@Tag("server")
@ParameterizedClass(name = "auto-commit {0}")
@ValueSource(booleans = {true, false})
class SeveralManagersTest {
  private static Tables tables;

  @Parameter private boolean autoCommit;

  private HikariDataSource pool;
  private HikariDataSource otherPool;
  private DataSourceTransactionManager own;
  private DataSourceTransactionManager other;
  private SpringOutbox outbox;

  @BeforeAll
  static void createTables() {
    tables = Tables.create();
  }

  @BeforeEach
  void begin() {
    tables.texts("delete from waybill_outbox returning 1");
    pool = tables.pool(4, autoCommit);
    otherPool = tables.pool(4, autoCommit);
    own = new DataSourceTransactionManager(pool);
    other = new DataSourceTransactionManager(otherPool);
    outbox =
        SpringOutbox.joining(
            pool,
            Outbox.of(
                PostgresOutbox.of(ConnectionFactory.of(pool), PostgresOptions.ofDefaults())
                    .append()),
            () -> null);
  }

  @AfterEach
  void end() {
    pool.close();
    otherPool.close();
  }

  private void append(String type) {
    outbox.append(Event.builder(type, "order", "42").json("{}").build());
  }

  private void assertRefused() {
    assertThatExceptionOfType(IllegalTransactionStateException.class)
        .isThrownBy(() -> append("lost"))
        .withMessageContaining("waybill.outbox.data-source");
  }

  /** Spring remembers the connection until the running transaction ends. */
  private void read() {
    new JdbcTemplate(pool).queryForObject("select 1", Integer.class);
  }

  private static void in(PlatformTransactionManager manager, Runnable work) {
    in(manager, "REQUIRED", work);
  }

  private static void in(PlatformTransactionManager manager, String propagation, Runnable work) {
    TransactionTemplate template = new TransactionTemplate(manager);
    template.setPropagationBehaviorName(
        DefaultTransactionDefinition.PREFIX_PROPAGATION + propagation);
    template.executeWithoutResult(status -> work.run());
  }

  @Test
  void aTransactionOfAnotherDataSourceIsRefused() {
    in(other, this::assertRefused);

    assertThat(tables.types()).isEmpty();
  }

  @Test
  void soIsOneThatHasReadThroughTheOutboxsDataSourceBefore() {
    in(
        other,
        () -> {
          read();
          assertRefused();
        });

    assertThat(tables.types()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"REQUIRED", "REQUIRES_NEW"})
  void aTransactionOfTheOutboxsWithinAnotherOneCommitsForItself(String propagation) {
    assertThatThrownBy(
            () ->
                in(
                    other,
                    () -> {
                      read();
                      in(own, propagation, () -> append("kept"));
                      assertRefused();
                      throw new IllegalStateException("business");
                    }))
        .hasMessage("business");

    assertThat(tables.types()).containsExactly("kept");
  }

  @ParameterizedTest
  @ValueSource(strings = {"REQUIRED", "REQUIRES_NEW"})
  void anotherTransactionWithinOneOfTheOutboxsIsRefused(String propagation) {
    watch();
    in(
        own,
        () -> {
          append("before");
          in(other, propagation, this::assertRefused);
          append("after");
        });

    assertThat(tables.types()).containsExactly("before", "after");
  }

  @Test
  void transactionsOfBothTakeTurns() {
    watch();
    in(
        own,
        () ->
            in(
                other,
                () -> {
                  in(own, "REQUIRES_NEW", () -> append("inner"));
                  assertRefused();
                }));

    assertThat(tables.types()).containsExactly("inner");
  }

  @ParameterizedTest
  @ValueSource(strings = {"SUPPORTS", "NOT_SUPPORTED", "NEVER"})
  void whatBeginsNoTransactionLeavesTheOneAroundIt(String propagation) {
    watch();
    in(own, () -> in(other, propagation, () -> append("kept")));

    assertThat(tables.types()).containsExactly("kept");
  }

  /** What the auto-configuration does where there are several managers. */
  private void watch() {
    TransactionOwners owners = new TransactionOwners(pool);
    own.addListener(owners);
    other.addListener(owners);
  }
}
