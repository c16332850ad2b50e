package io.waybill.observe;

import io.waybill.observe.Finding.Severity;
import java.util.Locale;

/** All start-up checks; {@code docs/doctor.md} describes the effect of each. */
public enum Check {
  /** PostgreSQL before 14. */
  POSTGRESQL_TOO_OLD(Severity.REFUSE),
  /** The server is a standby. */
  POSTGRESQL_STANDBY(Severity.REFUSE),
  /** A pooler is between the relay and the server and is not allowed. */
  POSTGRESQL_POOLER(Severity.REFUSE),
  /** Transactions are read-only by default. */
  POSTGRESQL_READ_ONLY(Severity.REFUSE),
  /** The database has an encoding other than UTF8. */
  POSTGRESQL_ENCODING(Severity.REFUSE),
  /** {@code fsync} is off. */
  POSTGRESQL_FSYNC_OFF(Severity.REFUSE),
  /** {@code full_page_writes} is off. */
  POSTGRESQL_FULL_PAGE_WRITES_OFF(Severity.REFUSE),
  /** Commits do not wait for the disk by default. */
  POSTGRESQL_SYNCHRONOUS_COMMIT_OFF(Severity.WARN),
  /** The commits of a role do not wait for the disk. */
  POSTGRESQL_ROLE_COMMITS_ASYNCHRONOUSLY(Severity.WARN),
  /** Damaged pages are read as if they were whole. */
  POSTGRESQL_DAMAGED_PAGES_TAKEN(Severity.REFUSE),
  /** Autovacuum does not clean up tables. */
  POSTGRESQL_AUTOVACUUM_OFF(Severity.WARN),
  /** Indexes are not used. */
  POSTGRESQL_INDEX_SCANS_OFF(Severity.WARN),
  /** Sessions that wait are ended soon. */
  POSTGRESQL_IDLE_SESSIONS_ENDED(Severity.WARN),
  /** Transactions are ended soon. */
  POSTGRESQL_TRANSACTIONS_CUT(Severity.WARN),
  /** Waits for locks are ended soon. */
  POSTGRESQL_LOCK_WAITS_CUT(Severity.WARN),
  /** Too few connections are free. */
  POSTGRESQL_CONNECTIONS_LOW(Severity.WARN),
  /** An unused replication slot keeps the log. */
  POSTGRESQL_SLOT_UNUSED(Severity.WARN),
  /** Standbys may lack commits. */
  POSTGRESQL_STANDBY_ASYNCHRONOUS(Severity.WARN),
  /** The log cannot be archived. */
  POSTGRESQL_ARCHIVING_FAILS(Severity.WARN),
  /** A table is empty after a crash. */
  POSTGRESQL_TABLE_UNLOGGED(Severity.REFUSE),
  /** Row-level security hides events. */
  POSTGRESQL_ROWS_HIDDEN(Severity.REFUSE),
  /** A rule replaces writes or removals. */
  POSTGRESQL_RULE(Severity.REFUSE),
  /** A table is excluded from autovacuum. */
  POSTGRESQL_TABLE_NOT_VACUUMED(Severity.WARN),
  /** The sequence of Waybill's own table hands out numbers in blocks. */
  POSTGRESQL_SEQUENCE_CACHED(Severity.REFUSE),
  /** The outbox is part of a publication. */
  POSTGRESQL_PUBLISHED_TWICE(Severity.WARN),
  /** Rows carry transaction numbers of another server. */
  POSTGRESQL_ROWS_OF_ANOTHER_SERVER(Severity.REFUSE),
  /** The relay's role may not see which server it is. */
  POSTGRESQL_IDENTITY_HIDDEN(Severity.WARN),
  /** MySQL before 8.0.17 or MariaDB before 10.6. */
  MYSQL_TOO_OLD(Severity.REFUSE),
  /** The server accepts no writes. */
  MYSQL_READ_ONLY(Severity.REFUSE),
  /** Commits do not wait for the disk. */
  MYSQL_FLUSH_LOG_AT_COMMIT_OFF(Severity.REFUSE),
  /** Pages may be torn by a crash. */
  MYSQL_DOUBLEWRITE_OFF(Severity.WARN),
  /** The binary log does not wait for the disk. */
  MYSQL_SYNC_BINLOG_OFF(Severity.WARN),
  /** The binary log has statements, not rows. */
  MYSQL_BINLOG_OF_STATEMENTS(Severity.REFUSE),
  /** The server does not wait for the disk at all. */
  MYSQL_DISK_NOT_AWAITED(Severity.REFUSE),
  /** The server skips data that it cannot read. */
  MYSQL_FORCED_RECOVERY(Severity.REFUSE),
  /** Transactions are read-only by default. */
  MYSQL_TRANSACTIONS_READ_ONLY(Severity.REFUSE),
  /** Queries return only part of the rows. */
  MYSQL_SELECTS_CUT(Severity.REFUSE),
  /** Changes without a key are refused. */
  MYSQL_SAFE_UPDATES(Severity.WARN),
  /** Unique or foreign keys are not checked. */
  MYSQL_KEYS_NOT_CHECKED(Severity.WARN),
  /** Connections that wait are ended soon. */
  MYSQL_IDLE_CONNECTIONS_ENDED(Severity.WARN),
  /** The largest event does not fit a packet. */
  MYSQL_PACKETS_TOO_SMALL(Severity.WARN),
  /** Too few connections are free. */
  MYSQL_CONNECTIONS_LOW(Severity.WARN),
  /** Values that are too long are cut. */
  MYSQL_NOT_STRICT(Severity.WARN),
  /** The relay's connections do not speak utf8mb4. */
  MYSQL_CONNECTION_CHARACTER_SET(Severity.REFUSE),
  /** Texts of Waybill's own tables are not compared as bytes. */
  MYSQL_IDS_NOT_BYTES(Severity.REFUSE),
  /** A table's engine supports no transactions. */
  TABLE_WITHOUT_TRANSACTIONS(Severity.REFUSE),
  /** Replicas may lack commits. */
  MYSQL_REPLICA_ASYNCHRONOUS(Severity.WARN),
  /** Other nodes of the cluster accept writes too. */
  MYSQL_SEVERAL_WRITERS(Severity.WARN),
  /** The relay's log-in works only as long as the server remembers its password. */
  MYSQL_LOG_IN_REMEMBERED(Severity.WARN),
  /** The relay's connections lead to different servers. */
  SERVERS_DIFFER(Severity.REFUSE),
  /** One connection of the relay does not see the lock that another one holds. */
  SESSION_LOCK_UNSEEN(Severity.WARN),
  /** A trigger can change or prevent the relay's changes. */
  TABLE_TRIGGER(Severity.WARN),
  /** A foreign key keeps published events from being removed. */
  TABLE_REFERENCED(Severity.WARN),
  /** The numbers of rows are nearly used up. */
  TABLE_IDS_RUN_OUT(Severity.WARN),
  /** The relay's user lacks a privilege. */
  PRIVILEGE_MISSING(Severity.REFUSE),
  /** The lanes differ from those that rows are assigned to. */
  LANES_INCOMPLETE(Severity.REFUSE),
  /** There are no tables. */
  SCHEMA_MISSING(Severity.REFUSE),
  /** A script is not applied. */
  SCHEMA_OLD(Severity.REFUSE),
  /** The tables are of a later version than the relay. */
  SCHEMA_NEWER(Severity.REFUSE),
  /** A table, column, index or constraint is missing. */
  SCHEMA_PART_MISSING(Severity.REFUSE),
  /** An index or constraint is invalid. */
  SCHEMA_PART_INVALID(Severity.REFUSE),
  /** The table of what relays did in each minute is missing. */
  HISTORY_TABLE_MISSING(Severity.NOTE),
  /** The table of browsers' logins is missing. */
  LOGIN_TABLE_MISSING(Severity.NOTE),
  /** The adopted table is missing. */
  ADOPTED_TABLE_MISSING(Severity.REFUSE),
  /** The adopted table is a view. */
  ADOPTED_TABLE_IS_A_VIEW(Severity.REFUSE),
  /** A side table of the adopted table is missing. */
  ADOPTED_SIDE_TABLE_MISSING(Severity.REFUSE),
  /** The table of records lacks a column. */
  ADOPTED_RECORD_COLUMN_MISSING(Severity.REFUSE),
  /** A column of the layout is missing. */
  ADOPTED_COLUMN_MISSING(Severity.REFUSE),
  /** A column has another type or length than its use needs. */
  ADOPTED_COLUMN_UNSUITABLE(Severity.REFUSE),
  /** A column that reads depend on may be null. */
  ADOPTED_COLUMN_NULLABLE(Severity.WARN),
  /** Rows have null where no read finds them. */
  ADOPTED_ROWS_WITH_NULL(Severity.REFUSE),
  /** Several rows may have one id. */
  ADOPTED_ID_NOT_UNIQUE(Severity.REFUSE),
  /** No index serves the reads. */
  ADOPTED_INDEX_MISSING(Severity.WARN),
  /** No column gives the order of rows. */
  ADOPTED_ORDER_UNKNOWN(Severity.WARN),
  /** Times are too coarse to determine the order of rows. */
  ADOPTED_TIME_COARSE(Severity.WARN),
  /** All rows of a transaction have one time. */
  ADOPTED_TIME_OF_TRANSACTION(Severity.WARN),
  /** The sequence of an adopted table hands out numbers in blocks. */
  ADOPTED_SEQUENCE_CACHED(Severity.WARN),
  /** Ids are not compared as bytes. */
  ADOPTED_IDS_NOT_BYTES(Severity.WARN),
  /** A column cannot hold every character. */
  ADOPTED_CHARACTERS_LOST(Severity.WARN),
  /** Each update moves a row behind later ones. */
  ADOPTED_TIME_CHANGES(Severity.WARN),
  /** A time is in the writer's zone and does not say so. */
  ADOPTED_TIME_WITHOUT_ZONE(Severity.WARN),
  /** Connections to other machines are not encrypted. */
  KAFKA_PLAINTEXT(Severity.WARN),
  /** The client's version is known to put records into other topics. */
  KAFKA_CLIENT_CORRUPTS(Severity.REFUSE),
  /** The partitioner sends keys to other partitions than those that have their records. */
  KAFKA_PARTITIONER_DIFFERS(Severity.WARN),
  /** The largest event does not fit a request. */
  KAFKA_REQUESTS_TOO_SMALL(Severity.WARN),
  /** The largest event does not fit the client's memory. */
  KAFKA_BUFFER_TOO_SMALL(Severity.WARN),
  /** There are more partitions than the client's buffer has batches. */
  KAFKA_BUFFER_BELOW_PARTITIONS(Severity.WARN),
  /** A topic has a single replica. */
  KAFKA_REPLICATION_FACTOR_ONE(Severity.WARN),
  /** One replica is enough to confirm an event. */
  KAFKA_MIN_INSYNC_ONE(Severity.WARN),
  /** Every replica is needed to confirm an event. */
  KAFKA_MIN_INSYNC_ALL(Severity.WARN),
  /** More replicas are needed to confirm an event than there are. */
  KAFKA_MIN_INSYNC_UNREACHABLE(Severity.WARN),
  /** Replicas are away or behind. */
  KAFKA_REPLICAS_BEHIND(Severity.WARN),
  /** A partition has no leader. */
  KAFKA_PARTITION_WITHOUT_LEADER(Severity.WARN),
  /** A replica that missed confirmed events may lead. */
  KAFKA_UNCLEAN_ELECTION(Severity.WARN),
  /** The largest event is too large for a topic. */
  KAFKA_TOPIC_MESSAGES_TOO_SMALL(Severity.WARN),
  /** A route's creation time is replaced by the broker's. */
  KAFKA_TIME_OF_APPEND(Severity.WARN),
  /**
   * A topic deletes events that are sent long after their creation, since the route uses that time.
   */
  KAFKA_CREATION_TIME_EXPIRES(Severity.WARN),
  /** A topic accepts no events that are some days old. */
  KAFKA_OLD_EVENTS_REFUSED(Severity.WARN),
  /** A topic accepts no events from a clock that is ahead. */
  KAFKA_NEW_EVENTS_REFUSED(Severity.WARN),
  /** A topic keeps only the last event of a key. */
  KAFKA_TOPIC_COMPACTED(Severity.WARN),
  /** A topic keeps events for less than a day. */
  KAFKA_RETENTION_SHORT(Severity.WARN),
  /** A topic is compressed otherwise than the relay sends, so the broker does it. */
  KAFKA_COMPRESSED_AGAIN(Severity.WARN),
  /** Events of an adopted table go uncompressed, because no setting says otherwise. */
  KAFKA_NOT_COMPRESSED(Severity.NOTE),
  /** The relay's user may not write to a topic. */
  KAFKA_WRITE_DENIED(Severity.WARN),
  /** Missing topics ask for more replicas than there are brokers. */
  KAFKA_TOPICS_CANNOT_BE_CREATED(Severity.WARN),
  /** A topic that a route names is missing. */
  KAFKA_TOPIC_MISSING(Severity.WARN),
  /** A topic's settings cannot be seen. */
  KAFKA_TOPIC_UNREADABLE(Severity.WARN),
  /** The broker does not answer. */
  KAFKA_SILENT(Severity.WARN),
  /** An exchange is missing. */
  RABBITMQ_EXCHANGE_MISSING(Severity.WARN),
  /** An exchange ends with the broker or its queues. */
  RABBITMQ_EXCHANGE_NOT_DURABLE(Severity.WARN),
  /** No queue is bound to an exchange. */
  RABBITMQ_EXCHANGE_UNBOUND(Severity.WARN),
  /** An exchange passes unroutable messages to an alternate exchange. */
  RABBITMQ_ALTERNATE_EXCHANGE(Severity.WARN),
  /** The relay's user may not write to an exchange. */
  RABBITMQ_WRITE_DENIED(Severity.WARN),
  /** A full queue refuses messages that other queues have accepted. */
  RABBITMQ_REFUSAL_SHARED(Severity.WARN),
  /** A queue is missing. */
  RABBITMQ_QUEUE_MISSING(Severity.WARN),
  /** A binding of the topology is missing. */
  RABBITMQ_BINDING_MISSING(Severity.WARN),
  /** A queue stores messages in a different way than the topology says. */
  RABBITMQ_QUEUE_TYPE_DIFFERS(Severity.WARN),
  /** An exchange or a queue is there with other properties than the topology says. */
  RABBITMQ_PROPERTIES_DIFFER(Severity.WARN),
  /** The relay's user may not bind a queue that is there. */
  RABBITMQ_BINDING_DENIED(Severity.WARN),
  /** A queue ends with the broker. */
  RABBITMQ_QUEUE_NOT_DURABLE(Severity.REFUSE),
  /** A queue ends with its last consumer. */
  RABBITMQ_QUEUE_AUTO_DELETED(Severity.REFUSE),
  /** A queue ends with a connection. */
  RABBITMQ_QUEUE_EXCLUSIVE(Severity.REFUSE),
  /** A queue ends when it is not used. */
  RABBITMQ_QUEUE_EXPIRES(Severity.REFUSE),
  /** A full queue drops its oldest messages. */
  RABBITMQ_QUEUE_DROPS_OLDEST(Severity.REFUSE),
  /** A full queue moves its oldest messages away. */
  RABBITMQ_QUEUE_MOVES_OLDEST(Severity.WARN),
  /** Messages are dropped after a while. */
  RABBITMQ_MESSAGES_EXPIRE(Severity.REFUSE),
  /** Messages are moved to where no queue is. */
  RABBITMQ_DEAD_LETTERS_LOST(Severity.REFUSE),
  /** Messages are dropped after some redeliveries. */
  RABBITMQ_REDELIVERED_DROPPED(Severity.WARN),
  /** Messages are moved away after some redeliveries, by a limit that is not configured. */
  RABBITMQ_REDELIVERED_MOVED(Severity.WARN),
  /** Several consumers receive the messages of a queue at the same time. */
  RABBITMQ_CONSUMERS_COMPETE(Severity.WARN),
  /** A source of an inbox keeps no place for its readers. */
  RABBITMQ_QUEUE_IS_STREAM(Severity.REFUSE),
  /** A queue drops or dead-letters a message after some deliveries. */
  RABBITMQ_DELIVERIES_LIMITED(Severity.WARN),
  /** The largest event is larger than what may be sent. */
  RABBITMQ_MESSAGES_TOO_SMALL(Severity.WARN),
  /** The broker accepts no messages at present. */
  RABBITMQ_ALARM(Severity.WARN),
  /** The relay may not open its connections. */
  RABBITMQ_CONNECTIONS_LOW(Severity.WARN),
  /** The broker refused a part of the topology. */
  RABBITMQ_DECLARATION_REFUSED(Severity.REFUSE),
  /** There is no access to the management API. */
  RABBITMQ_POLICIES_UNSEEN(Severity.WARN),
  /** The management API does not answer. */
  RABBITMQ_MANAGEMENT_SILENT(Severity.WARN),
  /** The broker does not answer. */
  RABBITMQ_SILENT(Severity.WARN),
  /** Two outboxes of a configuration read one table. */
  CONFIG_TABLE_SHARED(Severity.REFUSE),
  /** A stop does not wait for confirms. */
  CONFIG_GRACE_PERIOD_SHORT(Severity.WARN),
  /** Events of a relay that died wait for long. */
  CONFIG_LEASE_LONG(Severity.WARN),
  /** Rows in memory may not fit the heap. */
  CONFIG_MEMORY_SHORT(Severity.WARN),
  /** Dead letters go to the destination of live events. */
  CONFIG_DEAD_LETTERS_RETURN(Severity.WARN),
  /** By the layout's default, a key continues after a dead event. */
  CONFIG_ORDER_ENDS_AT_DEAD(Severity.WARN),
  /** The time range of rows to relay is over. */
  CONFIG_TIME_RANGE_OVER(Severity.WARN),
  /** Relay and database disagree about the time. */
  CLOCKS_APART(Severity.WARN);

  private final Severity severity;

  Check(Severity severity) {
    this.severity = severity;
  }

  /**
   * The severity of this check's findings.
   *
   * @return the same for every finding of this check
   */
  public Severity severity() {
    return severity;
  }

  /**
   * The name of the check, stable across releases.
   *
   * @return for example {@code postgresql-fsync-off}
   */
  public String code() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
