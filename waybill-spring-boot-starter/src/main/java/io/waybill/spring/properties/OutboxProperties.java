package io.waybill.spring.properties;

import io.waybill.database.OnPublished;
import io.waybill.database.Pooler;
import io.waybill.spring.properties.WaybillProperties.Broker;
import io.waybill.spring.properties.WaybillProperties.Failure;
import io.waybill.spring.properties.WaybillProperties.LayoutName;
import io.waybill.spring.properties.WaybillProperties.Limits;
import io.waybill.spring.properties.WaybillProperties.Poll;
import io.waybill.spring.properties.WaybillProperties.Retry;
import io.waybill.spring.properties.WaybillProperties.Routes;
import io.waybill.spring.properties.WaybillProperties.Schema;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * One of several outboxes.
 *
 * @param primary whether domain events and the inbox use this one, where several outboxes belong to
 *     data sources of the application
 * @param dataSource name of the data source bean whose transactions write events, where there are
 *     several; not with its own database
 * @param database its database, if no data source of the application connects to it; events are
 *     then only relayed
 * @param schema tables
 * @param layout which table
 * @param columns which column holds what, for layout custom
 * @param order the column that defines the order, for layout debezium
 * @param record whether what is done with each event is recorded, for layout notification; default:
 *     true
 * @param table name of an adopted table; default: the layout's
 * @param sideTables names of Waybill's tables for an adopted table
 * @param timeRange range of creation times; other rows of an adopted table are ignored
 * @param onPublished what becomes of published rows of Waybill's own table
 * @param retention how long published rows are kept; default: 7d with on-published=keep, and
 *     without limit in an adopted table
 * @param listen whether the relay is woken by writers in other processes that notify of commits
 * @param broker which broker events go to; default: the one that is configured here, else
 *     waybill.broker
 * @param kafka Kafka; default: waybill.kafka
 * @param rabbitmq RabbitMQ; default: waybill.rabbitmq
 * @param routes which event goes where
 * @param failure what happens to events that fail for good
 * @param retry when to try again
 * @param poll when the table is read, and how much at a time
 * @param limits bounds and intervals of the relay
 */
public record OutboxProperties(
    @DefaultValue("false") boolean primary,
    @Nullable String dataSource,
    @DefaultValue Database database,
    @DefaultValue Schema schema,
    @DefaultValue("waybill") LayoutName layout,
    @Nullable @NestedConfigurationProperty ColumnsProperties columns,
    @NestedConfigurationProperty ColumnsProperties.@Nullable Order order,
    @Nullable Boolean record,
    @Nullable String table,
    @Nullable SideTables sideTables,
    @Nullable TimeRangeKeys timeRange,
    @DefaultValue("delete") OnPublished onPublished,
    @Nullable Duration retention,
    @DefaultValue("false") boolean listen,
    @Nullable Broker broker,
    @Nullable @NestedConfigurationProperty KafkaProperties kafka,
    @Nullable @NestedConfigurationProperty RabbitProperties rabbitmq,
    @DefaultValue Routes routes,
    @DefaultValue Failure failure,
    @DefaultValue Retry retry,
    @DefaultValue Poll poll,
    @DefaultValue Limits limits) {

  /**
   * Names of Waybill's tables for an adopted table.
   *
   * @param prefix what their names begin with, at most 36 characters; default: waybill_TABLE_
   * @param schema their schema; default: that of the table
   */
  public record SideTables(@Nullable String prefix, @Nullable String schema) {}

  /**
   * A range of creation times.
   *
   * @param from first time, as in 2026-01-31T00:00:00Z; default: no bound
   * @param until time after the last one; default: no bound
   */
  public record TimeRangeKeys(@Nullable Instant from, @Nullable Instant until) {}

  /**
   * How a relay reaches the tables.
   *
   * @param url JDBC URL of PostgreSQL, MySQL or MariaDB, without user and password; without one a
   *     data source of the application is used
   * @param username user name
   * @param password its password
   * @param properties further properties of the driver, from an allow-list
   * @param sslBundle name of an SSL bundle: the server's certificate and name are checked by it,
   *     and its key is the client's
   * @param allowPlaintextPasswords whether the password may go to another machine in plaintext
   * @param connectTimeout limit for opening a connection
   * @param queryTimeout bound on every call to the database
   * @param pooler connection pooler that may be between this process and PostgreSQL
   */
  public record Database(
      @Nullable String url,
      @Nullable String username,
      @Nullable String password,
      @DefaultValue Map<String, String> properties,
      @Nullable String sslBundle,
      @DefaultValue("false") boolean allowPlaintextPasswords,
      @DefaultValue("5s") Duration connectTimeout,
      @DefaultValue("10s") Duration queryTimeout,
      @DefaultValue("none") Pooler pooler) {

    /** Without the password. */
    @Override
    public String toString() {
      return "Database[url=" + url + ", username=" + username + "]";
    }
  }
}
