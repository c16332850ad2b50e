package io.waybill.proof.server;

import io.waybill.database.DatabaseKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A real MySQL 9 of its own, from {@link UnpackedServer#MYSQL}: temporary folder, free port on the
 * loopback interface, durable commits. The superuser is {@code root}, without a password. Stopped
 * by {@link #close()} or when the JVM ends, even if it is killed. Methods may be called by any
 * thread.
 */
public final class MySqlServer extends MySqlFamilyServer {
  private MySqlServer(MySqlProgram program, Path parent, Map<String, String> settings)
      throws IOException {
    super(DatabaseKind.MYSQL, program, parent, settings);
  }

  /**
   * Starts a server with durable settings.
   *
   * @return the running server
   * @throws IllegalStateException when this machine cannot have it; says why
   */
  public static MySqlServer launch() {
    return launch(Map.of());
  }

  /**
   * Starts a server.
   *
   * @param overrides server options that replace the defaults, with hyphens as on the command line
   * @return the running server
   * @throws IllegalStateException when this machine cannot have it; says why
   */
  public static MySqlServer launch(Map<String, String> overrides) {
    return launch(Path.of(System.getProperty("java.io.tmpdir")), overrides);
  }

  static MySqlServer launch(Path parent, Map<String, String> overrides) {
    MySqlProgram program = new Program(UnpackedServer.MYSQL.unpacked());
    Map<String, String> settings =
        new TreeMap<>(
            Map.of(
                "bind-address", "127.0.0.1",
                "mysqlx", "off",
                "secure-file-priv", "NULL",
                "max-connections", "200"));
    settings.putAll(overrides);
    return launched(() -> new MySqlServer(program, parent, settings));
  }

  private record Program(DebianTree tree) implements MySqlProgram {
    @Override
    public List<String> command() {
      return tree.command("/usr/sbin/mysqld", List.of("--no-defaults", "--user=root"));
    }

    @Override
    public void makeData(Path target) throws IOException {
      List<String> command = new ArrayList<>(command());
      command.addAll(List.of("--initialize-insecure", "--datadir=" + target));
      MariaDbBootstrap.toItsEnd(
          command, Path.of("/dev/null"), target.resolveSibling("initialise.log"));
    }
  }
}
