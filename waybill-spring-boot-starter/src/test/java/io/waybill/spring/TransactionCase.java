package io.waybill.spring;

import com.zaxxer.hikari.HikariDataSource;
import io.waybill.database.ConnectionFactory;
import io.waybill.internal.jdbc.outbox.PostgresOptions;
import io.waybill.internal.jdbc.outbox.PostgresOutbox;
import io.waybill.message.Event;
import io.waybill.message.EventLimits;
import io.waybill.outbox.Outbox;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** An outbox in transactions of Spring, with pools of both kinds. */
@Tag("server")
@ParameterizedClass(name = "auto-commit {0}")
@ValueSource(booleans = {true, false})
abstract class TransactionCase {
  static Tables tables;
  @Parameter boolean autoCommit;
  final AtomicInteger commits = new AtomicInteger();
  HikariDataSource pool;
  private PlatformTransactionManager transactions;
  SpringOutbox outbox;

  @BeforeAll
  static void createTables() {
    tables = Tables.create();
  }

  @BeforeEach
  void begin() {
    tables.texts("delete from waybill_outbox returning 1");
    use(tables.pool(4, autoCommit));
  }

  final void use(HikariDataSource source) {
    pool = source;
    transactions = new DataSourceTransactionManager(pool);
    Outbox core =
        new Outbox(
            PostgresOutbox.of(ConnectionFactory.of(pool), PostgresOptions.ofDefaults()).append(),
            EventLimits.ofDefaults(),
            commits::incrementAndGet);
    outbox = SpringOutbox.joining(pool, core, () -> null);
  }

  @AfterEach
  void end() {
    pool.close();
  }

  static Event event(String type) {
    return Event.builder(type, "order", "42").json("{}").build();
  }

  TransactionTemplate required() {
    return new TransactionTemplate(transactions);
  }

  TransactionTemplate propagation(int behaviour) {
    TransactionTemplate template = required();
    template.setPropagationBehavior(behaviour);
    return template;
  }
}
