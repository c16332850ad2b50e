package io.waybill.proof.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Servers, languages and a browser of Debian packages that are unpacked and not installed: ones
 * that the system does not have, or in another version, and that no registry of Java has. They run
 * where apt, a Debian mirror and root or user namespaces are at hand. The first use downloads them
 * into {@code .servers} of the checkout, or into the folder of the system property {@code
 * waybill.servers}; that folder can be deleted at any time. {@code ./verify} names what could not
 * be had. Thread-safe.
 */
public enum UnpackedServer {
  /** PgBouncer, 1.21 or newer, which keeps prepared statements in transaction mode. */
  PGBOUNCER("PgBouncer", "sid", "pgbouncer", "libc6"),
  /** MySQL 9. */
  MYSQL("MySQL 9", "sid", "mysql-server-core", "libc6"),
  /** RabbitMQ 4.3 or newer. */
  RABBITMQ("RabbitMQ 4", "sid", "rabbitmq-server", UnpackedServer.FOR_RABBITMQ),
  /** RabbitMQ 3.10, the oldest that is tested, where the system's own is not installed. */
  RABBITMQ_3("RabbitMQ 3", "bookworm", "rabbitmq-server", UnpackedServer.FOR_RABBITMQ),
  /** Node.js with npm, where they are not installed. */
  NODE("Node.js", "bookworm", "nodejs", "npm libc6 libc-bin bash coreutils dash"),
  /** Python with drivers of PostgreSQL, SQLAlchemy and Confluent's client for Kafka. */
  PYTHON(
      "Python's clients",
      "bookworm",
      "python3",
      "python3-psycopg python3-psycopg2 python3-sqlalchemy python3-confluent-kafka libc6 libc-bin"
          + " bash coreutils dash"),
  /** Chromium of the system's own release, with a font. */
  CHROMIUM(
      "Chromium",
      "",
      "chromium",
      "fonts-liberation libc6 libc-bin bash coreutils dash sed grep gawk"),
  /** The system's own MariaDB with Galera, and what a node needs to join. */
  GALERA(
      "MariaDB with Galera",
      "",
      "mariadb-server",
      "galera-4 mariadb-backup socat iproute2 procps libc6"
          + " bash coreutils dash sed grep gawk hostname findutils");

  private static final String FOR_RABBITMQ =
      "erlang-base base-files bash coreutils dash libc6 passwd sed grep hostname";

  private final String title;
  private final String suite;
  private final String mainPackage;
  private final String others;

  UnpackedServer(String title, String suite, String mainPackage, String others) {
    this.title = title;
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
    missing().ifPresent(reason -> ServerReport.abort(title, reason));
  }

  /**
   * Why this machine cannot have the server.
   *
   * @return one sentence, or empty if it is there
   */
  public Optional<String> missing() {
    try {
      tree();
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(String.valueOf(e.getMessage()));
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
   * A file that starts a program of a language as if it were installed: it sees the files of the
   * machine but for its settings, programs and libraries, and runs in the caller's folder.
   *
   * @param program its name, for example {@code node}
   * @return path of an executable file
   * @throws IllegalStateException when this machine cannot have it; says why
   */
  public Path starter(String program) {
    try {
      return unpacked().starter(program);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write what starts " + program, e);
    }
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
      throw new IllegalStateException(title + " cannot be unpacked: " + e.getMessage(), e);
    }
  }

  /** What failed once in this run is not tried again: without a network it takes its time. */
  private DebianTree tree() throws IOException {
    Optional<String> reason = ServerReport.reason(title);
    if (reason.isPresent()) {
      throw new IOException(reason.get());
    }
    try {
      List<String> packages = List.of((mainPackage + " " + others).split(" ", -1));
      return DebianTree.of(name().toLowerCase(Locale.ROOT), suite, packages);
    } catch (IOException e) {
      ServerReport.leftOut(title, String.valueOf(e.getMessage()));
      throw e;
    }
  }
}
