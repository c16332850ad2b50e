package io.waybill.spring.properties;

import io.waybill.database.OnPublished;
import io.waybill.database.Pooler;
import io.waybill.encode.Format;
import io.waybill.message.RecordTime;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;
import org.springframework.util.unit.DataSize;

/**
 * All keys of Waybill. Unknown ones are refused.
 *
 * @param enabled whether Waybill is set up at all
 * @param broker which broker events go to; by default the one that is configured
 * @param schema tables
 * @param outbox where events are written
 * @param outboxes several outboxes, by name; they replace outbox, routes, failure, retry, poll and
 *     limits, the short keys of a single one
 * @param relay the relay of this process
 * @param routes which event goes where
 * @param failure what happens to events that fail for good
 * @param retry when to try again
 * @param poll when the table is read, and how much at a time
 * @param limits bounds and intervals of the relay
 * @param inbox where events come from
 * @param kafka Kafka; missing values come from spring.kafka
 * @param rabbitmq RabbitMQ; missing values come from spring.rabbitmq
 * @param api the API for operators
 * @param console the console for operators, with its module on the class path
 * @param springCloudStream Spring Cloud Stream, with its module on the class path
 */
@ConfigurationProperties(prefix = "waybill", ignoreUnknownFields = false)
public record WaybillProperties(
    @DefaultValue("true") boolean enabled,
    @Nullable Broker broker,
    @DefaultValue Schema schema,
    @DefaultValue Outbox outbox,
    @DefaultValue Map<String, OutboxProperties> outboxes,
    @DefaultValue Relay relay,
    @DefaultValue Routes routes,
    @DefaultValue Failure failure,
    @DefaultValue Retry retry,
    @DefaultValue Poll poll,
    @DefaultValue Limits limits,
    @DefaultValue @NestedConfigurationProperty InboxProperties inbox,
    @DefaultValue @NestedConfigurationProperty KafkaProperties kafka,
    @DefaultValue @NestedConfigurationProperty RabbitProperties rabbitmq,
    @DefaultValue Api api,
    @DefaultValue @NestedConfigurationProperty ConsoleProperties console,
    @DefaultValue SpringCloudStream springCloudStream) {

  /** Kinds of broker. */
  public enum Broker {
    /** Apache Kafka. */
    KAFKA,
    /** RabbitMQ over AMQP 0-9-1. */
    RABBITMQ,
    /** Bindings of Spring Cloud Stream; only for the relay. */
    SPRING_CLOUD_STREAM
  }

  /**
   * The API for operators.
   *
   * @param enabled whether it is served at /api/v1; in an application to users whom Spring Security
   *     knows
   * @param users file with the users of a standalone relay's API, their roles and hashed passwords
   * @param login logins of browsers at a standalone relay's API
   */
  public record Api(
      @DefaultValue("false") boolean enabled,
      @Nullable String users,
      @DefaultValue @NestedConfigurationProperty LoginProperties login) {}

  /**
   * Spring Cloud Stream.
   *
   * @param deliveryTimeout longest time between a send and its outcome: 1 s to 10 min
   */
  public record SpringCloudStream(@DefaultValue("10s") Duration deliveryTimeout) {}

  /**
   * The tables.
   *
   * @param mode whether the tables are created, compared at start, or left alone
   * @param name schema of the tables; on MySQL and MariaDB a database. Default: public, or that of
   *     the connection
   * @param lanes number of lanes of new tables
   */
  public record Schema(
      @DefaultValue("check") SchemaMode mode,
      @Nullable String name,
      @DefaultValue("64") int lanes) {}

  /** How Waybill handles its tables at start. */
  public enum SchemaMode {
    /** Missing tables are created. */
    APPLY,
    /** Missing tables end the start. */
    CHECK,
    /** Nothing. */
    NONE
  }

  /**
   * Where events are written.
   *
   * @param name name of the outbox in metrics, logs and health
   * @param mode the database, or memory for tests
   * @param dataSource name of the data source bean, where there are several
   * @param layout which table
   * @param columns which column holds what, for layout custom
   * @param order the column that defines the order, for layout debezium
   * @param record whether what is done with each event is recorded, for layout notification;
   *     default: true
   * @param table name of an adopted table; default: the layout's
   * @param sideTables names of Waybill's tables for an adopted table
   * @param timeRange range of creation times; other rows of an adopted table are ignored
   * @param onPublished what becomes of published rows of Waybill's own table
   * @param retention how long published rows are kept; default: 7d with on-published=keep, and
   *     without limit in an adopted table
   * @param listen whether the relay is woken by writers in other processes that notify of commits
   */
  public record Outbox(
      @DefaultValue("outbox") String name,
      @DefaultValue("database") OutboxMode mode,
      @Nullable String dataSource,
      @DefaultValue("waybill") LayoutName layout,
      @Nullable @NestedConfigurationProperty ColumnsProperties columns,
      @NestedConfigurationProperty ColumnsProperties.@Nullable Order order,
      @Nullable Boolean record,
      @Nullable String table,
      @NestedConfigurationProperty OutboxProperties.@Nullable SideTables sideTables,
      @NestedConfigurationProperty OutboxProperties.@Nullable TimeRangeKeys timeRange,
      @DefaultValue("delete") OnPublished onPublished,
      @Nullable Duration retention,
      @DefaultValue("false") boolean listen) {}

  /** Where events are kept. */
  public enum OutboxMode {
    /** In the tables. */
    DATABASE,
    /** In memory, for tests: nothing is published. */
    MEMORY
  }

  /** Layouts that Waybill knows by name. */
  public enum LayoutName {
    /** Waybill's own table. */
    WAYBILL,
    /** Table event_outbox of a notification system. */
    NOTIFICATION,
    /** Table event_outbox with states pending, sent and failed. */
    EVENT_OUTBOX,
    /** Table outbox with a flag sent. */
    WALLET,
    /** Table outbox_events with a flag processed. */
    POLYSHOP,
    /** The table of Debezium's outbox event router. */
    DEBEZIUM,
    /** Any other table, whose columns say what they hold. */
    CUSTOM
  }

  /**
   * The relay of this process.
   *
   * @param enabled whether this process relays; false where a standalone relay does
   * @param name name in tables, logs and threads; default: application name, host and process id
   * @param gracePeriod how long a stop may take
   * @param history how long it is kept what relays did in each minute; 0s: it is not written
   * @param phase phase of the life cycle; the default starts last and stops first
   * @param queryTimeout bound on every call to the database
   * @param pooler connection pooler that may be between this process and PostgreSQL
   */
  public record Relay(
      @DefaultValue("true") boolean enabled,
      @Nullable String name,
      @DefaultValue("20s") Duration gracePeriod,
      @DefaultValue("14d") Duration history,
      @DefaultValue("2147483647") int phase,
      @DefaultValue("10s") Duration queryTimeout,
      @DefaultValue("none") Pooler pooler) {}

  /**
   * Which event goes where.
   *
   * @param source source of the events, for formats that name it
   * @param fallback route of event types without their own route
   * @param types routes by event type
   */
  public record Routes(
      @Nullable String source,
      @Name("default") @Nullable RouteTo fallback,
      @DefaultValue Map<String, RouteTo> types) {}

  /**
   * One route. Texts are templates over the event.
   *
   * @param target Kafka topic or RabbitMQ exchange
   * @param routingKey RabbitMQ routing key
   * @param partition Kafka partition; default: from the key
   * @param timestamp time of a Kafka record: of its send, or of the event's creation
   * @param format form of the message
   * @param headers further headers
   */
  public record RouteTo(
      @DefaultValue("") String target,
      @DefaultValue("") String routingKey,
      @Nullable String partition,
      @DefaultValue("sent") RecordTime timestamp,
      @DefaultValue("raw") Format format,
      @DefaultValue Map<String, String> headers) {}

  /**
   * How Waybill handles events that fail for good.
   *
   * @param policy what becomes of the event and its key; default: park, bury for layouts
   *     notification and event-outbox
   * @param deadLetter where a buried event goes first
   * @param giveUpAfter how long a destination may refuse everything before its events count as
   *     failed for good; no limit by default
   * @param destinations the same for single destinations, by name
   */
  public record Failure(
      @Nullable FailureMode policy,
      @Nullable DeadLetter deadLetter,
      @Nullable Duration giveUpAfter,
      @DefaultValue Map<String, DestinationFailure> destinations) {}

  /**
   * How Waybill handles failed events of one destination.
   *
   * @param policy what becomes of the event and its key; default: park, bury for layouts
   *     notification and event-outbox
   * @param deadLetter where a buried event goes first
   * @param giveUpAfter how long the destination may refuse everything before its events count as
   *     failed for good; no limit by default
   */
  public record DestinationFailure(
      @Nullable FailureMode policy,
      @Nullable DeadLetter deadLetter,
      @Nullable Duration giveUpAfter) {}

  /** The fate of a failed event and its key. */
  public enum FailureMode {
    /** The key waits for an operator. */
    PARK,
    /** The event is declared dead and the key continues. */
    BURY
  }

  /**
   * Where a buried event goes.
   *
   * @param target Kafka topic or RabbitMQ exchange
   * @param routingKey RabbitMQ routing key
   */
  public record DeadLetter(@DefaultValue("") String target, @DefaultValue("") String routingKey) {}

  /**
   * When to try again.
   *
   * @param attempts definite refusals before an event fails for good
   * @param policy how the pauses grow
   * @param delay pause, with policy=constant
   * @param firstDelay first pause, with policy=backoff
   * @param longestDelay longest pause, with policy=backoff
   * @param factor growth of the pauses, with policy=backoff
   */
  public record Retry(
      @DefaultValue("10") int attempts,
      @DefaultValue("backoff") RetryMode policy,
      @DefaultValue("1s") Duration delay,
      @DefaultValue("200ms") Duration firstDelay,
      @DefaultValue("5m") Duration longestDelay,
      @DefaultValue("2") int factor) {}

  /** How the pauses between attempts grow. */
  public enum RetryMode {
    /** They grow. */
    BACKOFF,
    /** They stay the same. */
    CONSTANT
  }

  /**
   * When the relay reads the table; the layout supplies missing values.
   *
   * @param mode the rhythm; default: fixed-delay with interval, adaptive with min or max
   * @param min pause while events arrive
   * @param max pause of an idle relay
   * @param interval fixed pause or period, in place of min and max
   * @param initialDelay time before the first read
   * @param batch most rows of a read that follows a pause
   */
  public record Poll(
      @Nullable PollMode mode,
      @Nullable Duration min,
      @Nullable Duration max,
      @Nullable Duration interval,
      @Nullable Duration initialDelay,
      @Nullable Integer batch) {}

  /** The rhythms of reads. */
  public enum PollMode {
    /** The pause follows the events. */
    ADAPTIVE,
    /** The same pause after each read. */
    FIXED_DELAY,
    /** Reads start at multiples of the interval. */
    FIXED_RATE
  }

  /**
   * Bounds and intervals.
   *
   * @param lease life of the relay's session; default: what the delivery timeout and the interval
   *     of renewals need, and half a second more; at least 5s
   * @param renewInterval time between renewals
   * @param viewInterval time between looks at the lanes; above 1500ms a dead relay is replaced
   *     after its lease alone
   * @param maxRows most rows in memory
   * @param maxBytes most bytes in memory
   * @param maxEventBytes most bytes of one event; larger ones are parked unread
   * @param settleBatch most rows per settlement
   * @param settleDelay longest time that a confirmed row waits for its settlement batch to fill
   * @param maxInFlight most unconfirmed sends; default: max-rows
   */
  public record Limits(
      @Nullable Duration lease,
      @DefaultValue("2s") Duration renewInterval,
      @DefaultValue("500ms") Duration viewInterval,
      @DefaultValue("8000") int maxRows,
      @DefaultValue("16MB") DataSize maxBytes,
      @DefaultValue("16MB") DataSize maxEventBytes,
      @DefaultValue("4000") int settleBatch,
      @DefaultValue("20ms") Duration settleDelay,
      @Nullable Integer maxInFlight) {}
}
