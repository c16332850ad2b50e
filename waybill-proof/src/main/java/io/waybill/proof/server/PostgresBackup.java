package io.waybill.proof.server;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;

/**
 * A copy of a server that runs, from which a standby starts: the launched server comes without
 * {@code pg_basebackup}.
 */
final class PostgresBackup {
  static final String SLOT = "standby";

  // The log comes over the wire, from the slot on.
  private static final Set<String> EMPTY = Set.of("pg_wal", "pg_replslot");
  private static final Set<String> LEFT_OUT =
      Set.of("postmaster.pid", "postmaster.opts", "epg-lock");

  private PostgresBackup() {}

  static void take(PostgresServer server, Path target) throws SQLException, IOException {
    try (Connection connection = server.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("select pg_create_physical_replication_slot('%s', true)".formatted(SLOT));
      statement.execute("select pg_backup_start('standby', true)");
      copy(server.data(), target);
      try (ResultSet row = statement.executeQuery("select labelfile from pg_backup_stop(false)")) {
        row.next();
        Files.writeString(target.resolve("backup_label"), row.getString(1));
      }
    }
    Files.createFile(target.resolve("standby.signal"));
    Files.writeString(
        target.resolve("postgresql.auto.conf"),
        """
        primary_conninfo = 'host=127.0.0.1 port=%d user=postgres'
        primary_slot_name = '%s'
        """
            .formatted(server.port(), SLOT),
        StandardOpenOption.APPEND);
  }

  /** Files come and go meanwhile; the log knows of it. */
  private static void copy(Path from, Path to) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
              throws IOException {
            Path path = from.relativize(folder);
            Files.copy(folder, to.resolve(path), StandardCopyOption.COPY_ATTRIBUTES);
            return EMPTY.contains(path.toString())
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Path path = from.relativize(file);
            if (!LEFT_OUT.contains(path.toString())) {
              try {
                Files.copy(file, to.resolve(path), StandardCopyOption.COPY_ATTRIBUTES);
              } catch (NoSuchFileException e) {
                return FileVisitResult.CONTINUE;
              }
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException failure)
              throws IOException {
            if (failure instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw failure;
          }
        });
  }
}
