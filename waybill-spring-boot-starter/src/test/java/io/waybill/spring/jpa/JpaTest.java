package io.waybill.spring.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.database.ConnectionFactory;
import io.waybill.database.DatabaseKind;
import io.waybill.database.InboxOptions;
import io.waybill.database.InboxTables;
import io.waybill.jdbc.InboxSchema;
import io.waybill.jdbc.JdbcInboxStore;
import io.waybill.spring.InboxTransactions;
import io.waybill.spring.SpringTransactions;
import io.waybill.spring.Tables;
import io.waybill.spring.jpa.JpaApplication.Purchase;
import io.waybill.spring.jpa.JpaApplication.Purchases;
import io.waybill.store.DedupeKey;
import io.waybill.store.DedupeResult;
import io.waybill.store.InboxStore;
import io.waybill.store.InboxTransaction;
import io.waybill.store.RefusedCommitException;
import jakarta.persistence.EntityManager;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.NestedTransactionNotSupportedException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

@Tag("server")
@ExtendWith(OutputCaptureExtension.class)
class JpaTest {
  private static ConfigurableApplicationContext run(Tables tables, String... more) {
    return new SpringApplicationBuilder(JpaApplication.class)
        .web(WebApplicationType.NONE)
        .bannerMode(Banner.Mode.OFF)
        .properties(
            "spring.datasource.url=" + tables.url(),
            "spring.flyway.enabled=false",
            "spring.liquibase.enabled=false",
            "spring.jpa.hibernate.ddl-auto=create",
            "waybill.relay.enabled=false")
        .properties(more)
        .run();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void entitiesAndEventsShareTheTransaction(boolean autoCommit) {
    Tables tables = Tables.create();
    try (ConfigurableApplicationContext context =
        run(
            tables,
            "spring.datasource.hikari.auto-commit=" + autoCommit,
            "spring.jpa.properties.hibernate.connection.provider_disables_autocommit="
                + !autoCommit)) {
      Purchases purchases = context.getBean(Purchases.class);
      purchases.buy("1", false);
      assertThatThrownBy(() -> purchases.buy("2", true)).hasMessage("business");
      assertThatExceptionOfType(IllegalTransactionStateException.class)
          .isThrownBy(() -> purchases.look("3"))
          .withMessageContaining("read-only");

      assertThat(tables.texts("select aggregate_id from waybill_outbox")).containsExactly("1");
      assertThat(tables.texts("select id from purchase")).containsExactly("1");
    }
  }

  @Test
  void anEventOfTheFlushAtTheCommitIsOneOfTheTransaction(CapturedOutput output) {
    Tables tables = Tables.create();
    try (ConfigurableApplicationContext context = run(tables)) {
      context.getBean(Purchases.class).give("1");
    }

    assertThat(tables.texts("select aggregate_id from waybill_outbox")).containsExactly("1");
    assertThat(output).doesNotContain("after its transaction had been committed");
  }

  private static TransactionTemplate propagation(
      ConfigurableApplicationContext context, int behaviour) {
    TransactionTemplate template =
        new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
    template.setPropagationBehavior(behaviour);
    return template;
  }

  private static void assertBought(Tables tables, String... ids) {
    assertThat(tables.texts("select id from purchase")).containsExactly(ids);
    assertThat(tables.texts("select aggregate_id from waybill_outbox")).containsExactly(ids);
  }

  @Test
  void requiresNewCommitsForItselfAndSavepointsAreRefused() {
    Tables tables = Tables.create();
    try (ConfigurableApplicationContext context = run(tables)) {
      Purchases purchases = context.getBean(Purchases.class);
      TransactionTemplate outer = propagation(context, TransactionDefinition.PROPAGATION_REQUIRED);
      TransactionTemplate apart =
          propagation(context, TransactionDefinition.PROPAGATION_REQUIRES_NEW);
      assertThatThrownBy(
              () ->
                  outer.executeWithoutResult(
                      status -> {
                        purchases.buy("outer", false);
                        apart.executeWithoutResult(inner -> purchases.buy("apart", false));
                        throw new IllegalStateException("business");
                      }))
          .hasMessage("business");
      assertBought(tables, "apart");

      // Hibernate's transactions have no savepoints for Spring.
      TransactionTemplate nested = propagation(context, TransactionDefinition.PROPAGATION_NESTED);
      assertThatExceptionOfType(NestedTransactionNotSupportedException.class)
          .isThrownBy(
              () ->
                  outer.executeWithoutResult(
                      status -> nested.executeWithoutResult(inner -> purchases.buy("2", false))));
      assertBought(tables, "apart");
    }
  }

  @Test
  void aPoolOfOneConnectionIsEnough() {
    Tables tables = Tables.create();
    try (ConfigurableApplicationContext context =
        run(
            tables,
            "spring.datasource.hikari.maximum-pool-size=1",
            "spring.datasource.hikari.connection-timeout=1000")) {
      Purchases purchases = context.getBean(Purchases.class);
      purchases.buy("1", false);
      purchases.buy("2", false);
      TransactionTemplate apart =
          propagation(context, TransactionDefinition.PROPAGATION_REQUIRES_NEW);
      assertThatExceptionOfType(CannotCreateTransactionException.class)
          .isThrownBy(
              () ->
                  propagation(context, TransactionDefinition.PROPAGATION_REQUIRED)
                      .executeWithoutResult(
                          status ->
                              apart.executeWithoutResult(inner -> purchases.buy("3", false))));
      assertBought(tables, "1", "2");
    }
  }

  @Test
  void effectsOfHandlersShareTheInboxsTransaction() throws SQLException {
    Tables tables = Tables.create();
    try (ConfigurableApplicationContext context = run(tables)) {
      InboxStore store = store(context);
      EntityManager entities = context.getBean(EntityManager.class);
      try (InboxTransaction transaction = store.begin()) {
        assertThat(transaction.markSeen(List.of(event("e1"))))
            .containsExactly(new DedupeResult.Fresh());
        entities.persist(new Purchase("1"));
        transaction.commit();
      }
      assertThat(tables.texts("select xmin::text from purchase"))
          .isEqualTo(tables.texts("select xmin::text from processed_events"));

      try (InboxTransaction transaction = store.begin()) {
        transaction.markSeen(List.of(event("e2")));
        entities.persist(new Purchase("2"));
        transaction.rollback();
      }
      // Hibernate writes at the commit: what it finds then is the handler's failure.
      try (InboxTransaction transaction = store.begin()) {
        transaction.markSeen(List.of(event("e3")));
        entities.persist(new Purchase("1"));
        assertThatExceptionOfType(RefusedCommitException.class).isThrownBy(transaction::commit);
      }
      assertThat(tables.texts("select event_id from processed_events")).containsExactly("e1");
      store.close();
    }
  }

  /** Spring would let the other one commit the connection that JPA's manager has bound. */
  @Test
  void noOtherManagerEndsTheInboxsTransaction() throws SQLException {
    Tables tables = Tables.create();
    try (ConfigurableApplicationContext context = run(tables)) {
      InboxStore store = store(context);
      JdbcTransactionManager other = new JdbcTransactionManager(context.getBean(DataSource.class));
      other.addListener(new InboxTransactions());
      TransactionTemplate within = new TransactionTemplate(other);
      try (InboxTransaction transaction = store.begin()) {
        transaction.markSeen(List.of(event("e1"), event("e2")));
        assertThatExceptionOfType(IllegalTransactionStateException.class)
            .isThrownBy(() -> within.executeWithoutResult(status -> {}))
            .withMessageContaining("transaction of the inbox");
        transaction.rollback();
      }
      assertThat(tables.texts("select event_id from processed_events")).isEmpty();

      propagation(context, TransactionDefinition.PROPAGATION_REQUIRED)
          .executeWithoutResult(status -> within.executeWithoutResult(inner -> {}));
      store.close();
    }
  }

  @Test
  void handlersMayBeginTransactionsOfTheirOwn() throws SQLException {
    Tables tables = Tables.create();
    try (ConfigurableApplicationContext context = run(tables)) {
      InboxStore store = store(context);
      ((ConfigurableTransactionManager) context.getBean(PlatformTransactionManager.class))
          .addListener(new InboxTransactions());
      try (InboxTransaction transaction = store.begin()) {
        transaction.markSeen(List.of(event("e1")));
        propagation(context, TransactionDefinition.PROPAGATION_REQUIRES_NEW)
            .executeWithoutResult(status -> context.getBean(Purchases.class).buy("new", false));
        transaction.commit();
      }
      assertThat(tables.texts("select event_id from processed_events")).containsExactly("e1");
      assertBought(tables, "new");
      store.close();
    }
  }

  /** The time limit of a handler is the inbox's. */
  @Test
  void theApplicationsTransactionTimeoutIsNoneOfTheInboxs() throws SQLException {
    Tables tables = Tables.create();
    try (ConfigurableApplicationContext context =
        run(tables, "spring.transaction.default-timeout=1s")) {
      InboxStore store = store(context);
      EntityManager entities = context.getBean(EntityManager.class);
      try (InboxTransaction transaction = store.begin()) {
        transaction.markSeen(List.of(event("e1")));
        entities.createNativeQuery("select pg_sleep(1.2)").getSingleResult();
        entities.persist(new Purchase("slow"));
        transaction.commit();
      }
      assertThat(tables.texts("select id from purchase")).containsExactly("slow");
      store.close();
    }
  }

  private static InboxStore store(ConfigurableApplicationContext context) throws SQLException {
    DataSource source = context.getBean(DataSource.class);
    try (Connection connection = source.getConnection()) {
      InboxSchema.of(DatabaseKind.POSTGRESQL, "public", InboxTables.own()).apply(connection);
    }
    InboxStore store =
        JdbcInboxStore.of(
                ConnectionFactory.of(source),
                DatabaseKind.POSTGRESQL,
                "shop",
                InboxOptions.ofDefaults())
            .joining(
                new SpringTransactions(context.getBean(PlatformTransactionManager.class), source));
    store.open();
    return store;
  }

  private static DedupeKey event(String id) {
    return new DedupeKey(id, "placed", "orders", null);
  }
}
