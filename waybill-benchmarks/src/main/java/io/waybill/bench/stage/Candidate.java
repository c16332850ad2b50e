package io.waybill.bench.stage;

import io.waybill.bench.child.ChildMain.Role;
import io.waybill.bench.measure.Settings;
import io.waybill.database.DatabaseKind;
import java.nio.file.Path;
import java.util.Locale;

/** Waybill and its yardsticks. */
public enum Candidate implements Contender {
  CLIENT("client", Role.CLIENT, Table.NONE),
  DATABASE("database", Role.DATABASE, Table.WAYBILL),
  LOOP("loop", Role.LOOP, Table.PLAIN),
  WAYBILL_KEEP("waybill-keep", Role.WAYBILL, Table.WAYBILL),
  WAYBILL_DELETE("waybill-delete", Role.WAYBILL, Table.WAYBILL),
  WAYBILL_IN_PROCESS("waybill-in-process", Role.WAYBILL, Table.WAYBILL),
  WAYBILL_RELAY("waybill-relay", Role.WAYBILL, Table.WAYBILL),
  LOOP_NOTIFICATION("loop-notification", Role.LOOP, Table.NOTIFICATION),
  WAYBILL_NOTIFICATION("waybill-notification", Role.WAYBILL, Table.NOTIFICATION),
  LOOP_EVENT_OUTBOX("loop-event-outbox", Role.LOOP, Table.EVENT_OUTBOX),
  WAYBILL_EVENT_OUTBOX("waybill-event-outbox", Role.WAYBILL, Table.EVENT_OUTBOX),
  LOOP_WALLET("loop-wallet", Role.LOOP, Table.WALLET),
  WAYBILL_WALLET("waybill-wallet", Role.WAYBILL, Table.WALLET),
  LOOP_POLYSHOP("loop-polyshop", Role.LOOP, Table.POLYSHOP),
  WAYBILL_POLYSHOP("waybill-polyshop", Role.WAYBILL, Table.POLYSHOP),
  LOOP_MARIADB("loop-mariadb", Role.LOOP, Table.PLAIN_MARIADB),
  WAYBILL_MARIADB("waybill-mariadb", Role.WAYBILL, Table.MARIADB),
  LOOP_1("loop-1", Role.LOOP, Table.PLAIN),
  LOOP_2("loop-2", Role.LOOP, Table.PLAIN),
  LOOP_4("loop-4", Role.LOOP, Table.PLAIN),
  WAYBILL_1("waybill-1", Role.WAYBILL, Table.WAYBILL),
  WAYBILL_2("waybill-2", Role.WAYBILL, Table.WAYBILL),
  WAYBILL_4("waybill-4", Role.WAYBILL, Table.WAYBILL),
  WRITERS_ALONE("writers-alone", Role.WRITER, Table.WAYBILL),
  WRITERS_BESIDE_RELAY("writers-beside-relay", Role.WRITER, Table.WAYBILL),
  INSERTS_ALONE("inserts-alone", Role.INSERTER, Table.MARIADB),
  INSERTS_BESIDE_RELAY("inserts-beside-relay", Role.INSERTER, Table.MARIADB),
  CONSUMER("consumer", Role.CONSUMER, Table.EFFECT),
  INBOX("inbox", Role.INBOX, Table.EFFECT),
  INBOX_BATCH("inbox-batch", Role.INBOX, Table.EFFECT),
  MISSING_TOPIC("missing-topic", Role.WAYBILL, Table.WAYBILL),
  FULL_QUEUE("full-queue", Role.WAYBILL, Table.WAYBILL),
  POISON_KEY("poison-key", Role.WAYBILL, Table.WAYBILL),
  MISSING_EXCHANGE("missing-exchange", Role.WAYBILL, Table.WAYBILL),
  MISSING_BINDING("missing-binding", Role.WAYBILL, Table.WAYBILL),
  NO_PERMISSION("no-permission", Role.WAYBILL, Table.WAYBILL),
  WITHOUT("without", Role.WAYBILL, Table.WAYBILL),
  BLOCKED_KEYS("blocked-keys", Role.WAYBILL, Table.WAYBILL),
  TRANSACTION("transaction", Role.WAYBILL, Table.WAYBILL),
  DUE_AT_ONCE("due-at-once", Role.WAYBILL, Table.WAYBILL),
  LARGE_ROW("large-row", Role.WAYBILL, Table.WAYBILL),
  MANY_PARTITIONS("many-partitions", Role.WAYBILL, Table.WAYBILL),
  ROUTING_KEYS("routing-keys", Role.WAYBILL, Table.WAYBILL),
  WITHOUT_MARIADB("without-mariadb", Role.WAYBILL, Table.MARIADB),
  BLOCKED_KEYS_MARIADB("blocked-keys-mariadb", Role.WAYBILL, Table.MARIADB),
  TRANSACTION_MARIADB("transaction-mariadb", Role.WAYBILL, Table.MARIADB),
  APPEND("append", Role.WRITER, Table.WAYBILL),
  APPEND_TEN("append-ten", Role.WRITER, Table.WAYBILL),
  HISTORY("history", Role.DATABASE, Table.WAYBILL),
  STREAMS_NONE("streams-none", Role.WAYBILL, Table.WAYBILL),
  STREAMS_FIVE("streams-five", Role.WAYBILL, Table.WAYBILL),
  LISTINGS("listings", Role.DATABASE, Table.WAYBILL),
  LISTINGS_MARIADB("listings-mariadb", Role.DATABASE, Table.MARIADB),
  TAKEOVER_KILLED("takeover-killed", Role.WAYBILL, Table.WAYBILL),
  TAKEOVER_TWO_KILLED("takeover-two-killed", Role.WAYBILL, Table.WAYBILL),
  TAKEOVER_BACK("takeover-back", Role.WAYBILL, Table.WAYBILL),
  TAKEOVER_FROZEN("takeover-frozen", Role.WAYBILL, Table.WAYBILL),
  TAKEOVER_SILENCED("takeover-silenced", Role.WAYBILL, Table.WAYBILL),
  TAKEOVER_STOPPED("takeover-stopped", Role.WAYBILL, Table.WAYBILL),
  TAKEOVER_STARTED("takeover-started", Role.WAYBILL, Table.WAYBILL),
  TAKEOVER_ROLLING("takeover-rolling", Role.WAYBILL, Table.WAYBILL),
  TAKEOVER_LOCK_ENDED("takeover-lock-ended", Role.WAYBILL, Table.WAYBILL),
  TAKEOVER_CUT("takeover-cut", Role.WAYBILL, Table.WAYBILL);

  /** What it reads from. */
  public enum Table {
    NONE,
    PLAIN,
    WAYBILL,
    NOTIFICATION,
    EVENT_OUTBOX,
    WALLET,
    POLYSHOP,
    /** Waybill's own on MariaDB. */
    MARIADB,
    /** The same on MySQL. */
    MYSQL,
    /** The plain loop's on MariaDB. */
    PLAIN_MARIADB,
    /** What consumers write to, with the tables of an inbox. */
    EFFECT,
    /** The same on MariaDB. */
    EFFECT_MARIADB;

    /** Name of the layout of an adopted table. */
    public String layout() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether it is that of a plain loop. */
    public boolean isPlain() {
      return this == PLAIN || this == PLAIN_MARIADB;
    }

    /** Waybill's own. */
    public static Table own(DatabaseKind database) {
      return switch (database) {
        case POSTGRESQL -> WAYBILL;
        case MARIADB -> MARIADB;
        case MYSQL -> MYSQL;
      };
    }

    /** Whether it is on MariaDB. */
    public boolean isOnMariaDb() {
      return database() == DatabaseKind.MARIADB;
    }

    /** Where it is. */
    DatabaseKind database() {
      return switch (this) {
        case MARIADB, PLAIN_MARIADB, EFFECT_MARIADB -> DatabaseKind.MARIADB;
        case MYSQL -> DatabaseKind.MYSQL;
        default -> DatabaseKind.POSTGRESQL;
      };
    }

    /** Whether it is that of another system. */
    public boolean isAdopted() {
      return this == NOTIFICATION || this == EVENT_OUTBOX || this == WALLET || this == POLYSHOP;
    }
  }

  private final String label;
  private final Role role;
  private final Table table;

  Candidate(String label, Role role, Table table) {
    this.label = label;
    this.role = role;
    this.table = table;
  }

  @Override
  public String label() {
    return label;
  }

  /** What its process plays. */
  public Role role() {
    return role;
  }

  @Override
  public Table table() {
    return table;
  }

  @Override
  public boolean publishes() {
    return this != DATABASE;
  }

  /** Processes that share the work. */
  public int instances() {
    return switch (this) {
      case LOOP_2,
          WAYBILL_2,
          TAKEOVER_KILLED,
          TAKEOVER_BACK,
          TAKEOVER_FROZEN,
          TAKEOVER_SILENCED,
          TAKEOVER_STARTED,
          TAKEOVER_LOCK_ENDED,
          TAKEOVER_CUT ->
          2;
      case TAKEOVER_TWO_KILLED, TAKEOVER_STOPPED, TAKEOVER_ROLLING -> 3;
      case LOOP_4, WAYBILL_4 -> 4;
      default -> 1;
    };
  }

  @Override
  public boolean writesItself() {
    return this == WAYBILL_IN_PROCESS;
  }

  @Override
  public Child start(Settings settings, int heapMb, Path log) {
    return Child.start(role, settings, heapMb, log);
  }

  @Override
  public boolean keeps() {
    return this == WAYBILL_KEEP;
  }
}
