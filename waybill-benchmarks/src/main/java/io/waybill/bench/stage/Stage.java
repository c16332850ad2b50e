package io.waybill.bench.stage;

import io.waybill.bench.load.AdoptedTable;
import io.waybill.bench.load.EffectTables;
import io.waybill.bench.load.MariaDbTables;
import io.waybill.bench.load.Tables;
import io.waybill.bench.measure.Proc;
import io.waybill.bench.measure.Settings;
import io.waybill.bench.wire.BrokerKind;
import io.waybill.bench.wire.Wire;
import io.waybill.database.DatabaseKind;
import io.waybill.proof.server.DatabaseServer;
import io.waybill.proof.server.MariaDbServer;
import io.waybill.proof.server.MySqlServer;
import io.waybill.proof.server.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The servers of a run, with a fresh database and destination for each measurement. */
public final class Stage implements AutoCloseable {
  private static final Map<String, String> DATABASE_SETTINGS =
      Map.of(
          "shared_buffers", "512MB",
          // A checkpoint in one candidate's turn and not in another's would decide the ratio.
          "max_wal_size", "8GB",
          "checkpoint_timeout", "30min");

  private static final Map<String, String> MARIADB_SETTINGS =
      Map.of(
          "innodb-buffer-pool-size", "512M",
          // As max_wal_size above.
          "innodb-log-file-size", "4G");

  private static final Map<String, String> MYSQL_SETTINGS =
      Map.of("innodb-buffer-pool-size", "512M", "innodb-redo-log-capacity", "4G");

  private static final long MANY = 1_000_000;
  private static final long SLOT_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long SLOT_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final BrokerKind kind;
  private final PostgresServer postgres;
  private final BrokerStage broker;
  private @Nullable MariaDbServer mariaDb;
  private @Nullable MySqlServer mySql;
  private final Path folder;
  private int count;

  private Stage(BrokerKind kind, PostgresServer postgres, BrokerStage broker) {
    this.kind = kind;
    this.postgres = postgres;
    this.broker = broker;
    try {
      this.folder = Files.createTempDirectory("waybill-bench-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts PostgreSQL, with further settings, and a broker. */
  public static Stage launch(BrokerKind kind, Map<String, String> more) {
    Map<String, String> all = new TreeMap<>(DATABASE_SETTINGS);
    all.putAll(more);
    PostgresServer postgres = PostgresServer.launch(all);
    try {
      return new Stage(kind, postgres, BrokerStage.launch(kind));
    } catch (RuntimeException e) {
      postgres.close();
      throw e;
    }
  }

  /** What one measurement has to itself. */
  public final class Ground implements AutoCloseable {
    private final String name = "bench_" + ++count;
    private final DatabaseServer server;
    private final String url;

    private Ground(Candidate.Table table, long events, int keys) throws SQLException {
      server = server(table.database());
      url = server.createDatabase(name);
      broker.create(name);
      Tables tables = new Tables(url);
      switch (table) {
        case NONE -> {}
        case PLAIN -> {
          tables.createPlain();
          tables.fill("plain_outbox", events, keys);
        }
        case WAYBILL -> {
          tables.createWaybill();
          if (events >= MANY) {
            Instant start = Instant.now();
            tables.load(events, keys);
            long seconds = Duration.between(start, Instant.now()).toSeconds();
            Progress.show("%,d rows loaded in %d s".formatted(events, seconds));
          } else {
            tables.fill("waybill_outbox", events, keys);
          }
        }
        case EFFECT, EFFECT_MARIADB -> new EffectTables(url).create();
        case MARIADB, MYSQL -> new MariaDbTables(url).fill(events, keys);
        case PLAIN_MARIADB -> new MariaDbTables(url).fillPlain(events, keys);
        default -> AdoptedTable.of(table.layout()).fill(tables, events, keys);
      }
    }

    /** JDBC URL of its database. */
    public String url() {
      return url;
    }

    /** A sender of the broker's own client to the destination. */
    public Wire wire() throws IOException {
      return kind.wire(broker.address(), name);
    }

    /** A file of its own. */
    public Path file(String suffix) {
      return folder.resolve(name + suffix);
    }

    /** Where the servers are, for its processes. */
    public Settings settings() {
      return new Settings(
          Map.of(
              "broker",
              kind.toString(),
              "address",
              broker.address(),
              "destination",
              name,
              "database",
              url));
    }

    /** Copies the data of its server, which does not run meanwhile, into a folder of its kind. */
    public void keep(Path parent) {
      Path copy = parent.resolve(server.kind().name().toLowerCase(Locale.ROOT));
      server.stop();
      try {
        Files.createDirectories(parent);
        int code =
            new ProcessBuilder("cp", "-a", server.data().toString(), copy.toString())
                .inheritIO()
                .start()
                .waitFor();
        if (code != 0) {
          throw new IllegalStateException("The data could not be copied to " + copy);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("Interrupted while data were copied to " + copy, e);
      } finally {
        server.start();
      }
      Progress.show("the data are kept in " + copy);
    }

    /** A slot keeps its database from being dropped; its process may take a moment to end. */
    private void dropSlots() {
      long end = System.nanoTime() + SLOT_LIMIT_NANOS;
      while (!ask(postgres.jdbcUrl(), BUSY_SLOTS.formatted(name)).equals("0")
          && System.nanoTime() < end) {
        LockSupport.parkNanos(SLOT_PAUSE_NANOS);
      }
      ask(postgres.jdbcUrl(), DROP_SLOTS.formatted(name));
    }

    @Override
    public void close() {
      broker.drop(name);
      if (server == postgres) {
        dropSlots();
        ask(postgres.jdbcUrl(), "drop database " + name + " with (force)");
      } else {
        ask(server.jdbcUrl(), "drop database " + name);
      }
    }
  }

  private static final String BUSY_SLOTS =
      """
      select count(pg_terminate_backend(active_pid)) from pg_replication_slots
      where database = '%s' and active
      """;
  private static final String DROP_SLOTS =
      """
      select count(pg_drop_replication_slot(slot_name)) from pg_replication_slots
      where database = '%s'
      """;

  /** Creates a database and a destination, and fills the table. */
  public Ground ground(Candidate.Table table, long events, int keys) {
    try {
      return new Ground(table, events, keys);
    } catch (SQLException e) {
      throw new IllegalStateException("The tables could not be filled", e);
    }
  }

  /** Of all servers: one candidate uses one, and the others idle. */
  public double databaseCpuSeconds() {
    MariaDbServer other = mariaDb;
    MySqlServer third = mySql;
    return Proc.treeCpuSeconds(postmaster())
        + (other == null ? 0 : Proc.treeCpuSeconds(other.pid()))
        + (third == null ? 0 : Proc.treeCpuSeconds(third.pid()));
  }

  private long postmaster() {
    try {
      Path file = postgres.data().resolve("postmaster.pid");
      return Long.parseLong(Files.readAllLines(file).get(0));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Started with the first candidate that needs it. */
  public MariaDbServer mariaDb() {
    MariaDbServer running = mariaDb;
    if (running == null) {
      running = MariaDbServer.launch(MARIADB_SETTINGS);
      mariaDb = running;
    }
    return running;
  }

  private MySqlServer mySql() {
    MySqlServer running = mySql;
    if (running == null) {
      running = MySqlServer.launch(MYSQL_SETTINGS);
      mySql = running;
    }
    return running;
  }

  private DatabaseServer server(DatabaseKind database) {
    return switch (database) {
      case POSTGRESQL -> postgres;
      case MARIADB -> mariaDb();
      case MYSQL -> mySql();
    };
  }

  /** The broker. */
  public BrokerStage broker() {
    return broker;
  }

  /** Ends the broker without warning. */
  public void killBroker() {
    broker.kill();
  }

  /** Starts it again on the same data. */
  public void restartBroker() {
    broker.restart();
  }

  /** Of the broker. */
  public double brokerCpuSeconds() {
    return Proc.treeCpuSeconds(broker.pid());
  }

  /** Name and version. */
  public String databaseVersion(DatabaseKind database) {
    return switch (database) {
      case POSTGRESQL -> "PostgreSQL " + ask(postgres.jdbcUrl(), "show server_version");
      case MARIADB -> "MariaDB " + ask(mariaDb().jdbcUrl(), "select version()");
      case MYSQL -> "MySQL " + ask(mySql().jdbcUrl(), "select version()");
    };
  }

  /** The first column of the first row, empty for a statement without rows. */
  public static String ask(String url, String sql) {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      if (!statement.execute(sql)) {
        return "";
      }
      try (ResultSet row = statement.getResultSet()) {
        return row.next() ? row.getString(1) : "";
      }
    } catch (SQLException e) {
      throw new IllegalStateException("The database refused: " + sql, e);
    }
  }

  @Override
  public void close() {
    broker.close();
    postgres.close();
    if (mariaDb != null) {
      mariaDb.close();
    }
    if (mySql != null) {
      mySql.close();
    }
    try (Stream<Path> files = Files.walk(folder)) {
      List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
      for (Path file : deepestFirst) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
