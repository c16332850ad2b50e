package io.waybill.bench;

import io.waybill.bench.load.Tables;
import io.waybill.bench.measure.Proc;
import io.waybill.bench.measure.Settings;
import io.waybill.bench.wire.BrokerKind;
import io.waybill.testkit.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The servers of a run, with a fresh database and destination for each measurement. */
final class Stage implements AutoCloseable {
  private static final Map<String, String> DATABASE_SETTINGS =
      Map.of(
          "shared_buffers", "512MB",
          // A checkpoint in one candidate's turn and not in another's would decide the ratio.
          "max_wal_size", "8GB",
          "checkpoint_timeout", "30min");

  private final BrokerKind kind;
  private final PostgresServer postgres;
  private final BrokerStage broker;
  private final long postmaster;
  private final Path folder;
  private int count;

  private Stage(BrokerKind kind, PostgresServer postgres, BrokerStage broker) {
    this.kind = kind;
    this.postgres = postgres;
    this.broker = broker;
    try {
      Path data = Path.of(ask(postgres.jdbcUrl(), "show data_directory"));
      this.postmaster = Long.parseLong(Files.readAllLines(data.resolve("postmaster.pid")).get(0));
      this.folder = Files.createTempDirectory("waybill-bench-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Stage launch(BrokerKind kind) {
    PostgresServer postgres = PostgresServer.launch(DATABASE_SETTINGS);
    try {
      return new Stage(kind, postgres, BrokerStage.launch(kind));
    } catch (RuntimeException e) {
      postgres.close();
      throw e;
    }
  }

  /** What one measurement has to itself. */
  final class Ground implements AutoCloseable {
    private final String name = "bench_" + ++count;
    private final String url = postgres.createDatabase(name);

    private Ground(Candidate.Table table, long events, int keys) throws SQLException {
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
          tables.fill("waybill_outbox", events, keys);
        }
      }
    }

    String url() {
      return url;
    }

    Path file(String suffix) {
      return folder.resolve(name + suffix);
    }

    Settings settings() {
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

    @Override
    public void close() {
      broker.drop(name);
      ask(postgres.jdbcUrl(), "drop database " + name + " with (force)");
    }
  }

  Ground ground(Candidate.Table table, long events, int keys) {
    try {
      return new Ground(table, events, keys);
    } catch (SQLException e) {
      throw new IllegalStateException("The tables could not be filled", e);
    }
  }

  double databaseCpuSeconds() {
    return Proc.treeCpuSeconds(postmaster);
  }

  double brokerCpuSeconds() {
    return Proc.treeCpuSeconds(broker.pid());
  }

  String databaseVersion() {
    return "PostgreSQL " + ask(postgres.jdbcUrl(), "show server_version");
  }

  BrokerKind brokerKind() {
    return kind;
  }

  /** The first column of the first row, empty for a statement without rows. */
  static String ask(String url, String sql) {
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
