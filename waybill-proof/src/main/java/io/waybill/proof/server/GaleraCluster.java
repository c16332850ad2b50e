package io.waybill.proof.server;

import io.waybill.database.DatabaseKind;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Two nodes of MariaDB with Galera, from {@link UnpackedServer#GALERA}, on one machine: both take
 * writes. Stopped by {@link #close()} or when the JVM ends, even if it is killed. Methods may be
 * called by any thread.
 *
 * <p>The second node may be stopped, killed and started again; the first may be as long as the
 * cluster is not meant to go on: it begins a cluster of its own each time.
 */
public final class GaleraCluster implements AutoCloseable {
  private static final List<String> SYSTEM_TABLES =
      List.of(
          "mysql_system_tables.sql",
          "mysql_performance_tables.sql",
          "mysql_system_tables_data.sql");

  private final Node first;
  private final Node second;

  private GaleraCluster(Node first, Node second) {
    this.first = first;
    this.second = second;
  }

  /**
   * Starts both nodes and waits until each takes writes.
   *
   * @return the running cluster
   * @throws IllegalStateException when this machine cannot have it; says why
   */
  public static GaleraCluster launch() {
    Program program = new Program(UnpackedServer.GALERA.unpacked());
    int firstPort = FreePort.find();
    Node first = Node.launch(program, firstPort, "");
    try {
      return new GaleraCluster(
          first, Node.launch(program, FreePort.find(), "127.0.0.1:" + firstPort));
    } catch (RuntimeException e) {
      first.close();
      throw e;
    }
  }

  /**
   * The node that began the cluster.
   *
   * @return server
   */
  public DatabaseServer first() {
    return first;
  }

  /**
   * The node that joined it.
   *
   * @return server
   */
  public DatabaseServer second() {
    return second;
  }

  /** Ends both nodes at once and deletes their data. */
  @Override
  public void close() {
    try {
      second.close();
    } finally {
      first.close();
    }
  }

  private static final class Node extends MySqlFamilyServer {
    private Node(Program program, Map<String, String> settings) throws IOException {
      super(DatabaseKind.MARIADB, program, Path.of(System.getProperty("java.io.tmpdir")), settings);
    }

    static Node launch(Program program, int groupPort, String others) {
      String group = "127.0.0.1:" + groupPort;
      Map<String, String> settings =
          Map.ofEntries(
              Map.entry("bind-address", "127.0.0.1"),
              Map.entry("skip-name-resolve", "on"),
              Map.entry("binlog-format", "ROW"),
              Map.entry("innodb-autoinc-lock-mode", "2"),
              Map.entry("max-connections", "200"),
              Map.entry("wsrep-on", "ON"),
              Map.entry("wsrep-provider", "/usr/lib/galera/libgalera_smm.so"),
              Map.entry("wsrep-cluster-address", "gcomm://" + others),
              Map.entry("wsrep-node-address", group),
              Map.entry("wsrep-sst-method", "mariabackup"),
              Map.entry("wsrep-sst-auth", "root:"),
              Map.entry("wsrep-sst-receive-address", "127.0.0.1:" + FreePort.find()),
              Map.entry(
                  "wsrep-provider-options",
                  "gcache.size=16M;gmcast.listen_addr=tcp://%s;ist.recv_addr=127.0.0.1:%d"
                      .formatted(group, FreePort.find())));
      return launched(() -> new Node(program, settings));
    }

    @Override
    @Nullable SQLException unready(Connection connection) throws SQLException {
      try (Statement statement = connection.createStatement();
          ResultSet result = statement.executeQuery("show status like 'wsrep_ready'")) {
        return result.next() && result.getString(2).equals("ON")
            ? null
            : new SQLException("The node is no member yet");
      }
    }
  }

  private record Program(DebianTree tree) implements MySqlProgram {
    @Override
    public List<String> command() {
      return tree.command(
          "/usr/sbin/mariadbd",
          List.of("--no-defaults", "--user=root", "--lc-messages-dir=/usr/share/mysql"));
    }

    @Override
    public void makeData(Path target) throws IOException {
      Path share = tree.root().resolve("usr/share/mysql");
      Stream<Path> scripts = SYSTEM_TABLES.stream().map(share::resolve);
      MariaDbBootstrap.run(command(), scripts.toList(), target);
    }
  }
}
