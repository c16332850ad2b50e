package io.waybill.testkit;

import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;

/**
 * Servers of Debian packages that are unpacked and not installed: newer ones than the system has,
 * and ones that no registry of Java has. They run where root, apt and a Debian mirror are at hand.
 * The first use downloads them into {@code .servers} of the checkout, or into the folder of the
 * system property {@code waybill.servers}; that folder can be deleted at any time. Thread-safe.
 */
public enum UnpackedServer {
  /** PgBouncer, 1.21 or newer, which keeps prepared statements in transaction mode. */
  PGBOUNCER("sid", "pgbouncer", "libc6"),
  /** MySQL 9. */
  MYSQL("sid", "mysql-server-core", "libc6"),
  /** RabbitMQ 4.3 or newer. */
  RABBITMQ(
      "sid",
      "rabbitmq-server",
      "erlang-base base-files bash coreutils dash libc6 passwd sed grep hostname"),
  /** The system's own MariaDB with Galera, and what a node needs to join. */
  GALERA(
      "",
      "mariadb-server",
      "galera-4 mariadb-backup socat iproute2 procps libc6"
          + " bash coreutils dash sed grep gawk hostname findutils");

  private static final Map<UnpackedServer, String> REASONS = new EnumMap<>(UnpackedServer.class);

  private final String suite;
  private final String mainPackage;
  private final String others;

  UnpackedServer(String suite, String mainPackage, String others) {
    this.suite = suite;
    this.mainPackage = mainPackage;
    this.others = others;
  }

  /**
   * Leaves the calling test out, with the reason, when this machine cannot have the server.
   *
   * @throws org.opentest4j.TestAbortedException when it cannot be had
   */
  public void assumeThere() {
    try {
      tree();
    } catch (IOException e) {
      Assumptions.abort("Left out, " + this + " cannot be unpacked: " + e.getMessage());
    }
  }

  /**
   * Which version was found.
   *
   * @return version of Debian's package
   * @throws IllegalStateException when this machine cannot have the server
   */
  public String version() {
    return unpacked().version(mainPackage);
  }

  /**
   * The server's files.
   *
   * @throws IllegalStateException when this machine cannot have them; says why
   */
  DebianTree unpacked() {
    try {
      return tree();
    } catch (IOException e) {
      throw new IllegalStateException(this + " cannot be unpacked: " + e.getMessage(), e);
    }
  }

  /** What failed once in this JVM is not tried again: without a network it takes its time. */
  private DebianTree tree() throws IOException {
    synchronized (REASONS) {
      String reason = REASONS.get(this);
      if (reason != null) {
        throw new IOException(reason);
      }
      try {
        List<String> packages = List.of((mainPackage + " " + others).split(" ", -1));
        return DebianTree.of(name().toLowerCase(Locale.ROOT), suite, packages);
      } catch (IOException e) {
        REASONS.put(this, String.valueOf(e.getMessage()));
        throw e;
      }
    }
  }
}
