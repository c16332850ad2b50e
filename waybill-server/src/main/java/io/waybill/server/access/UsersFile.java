package io.waybill.server.access;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;

/**
 * The users in a file, one a line; empty lines and those that begin with # mean nothing. A login
 * reads the file again when it has changed. Thread-safe.
 */
public final class UsersFile implements UserDetailsService {
  private static final Logger LOG = LoggerFactory.getLogger(UsersFile.class);

  private final Path file;
  // Of what was read last.
  private @Nullable Version version;
  private Map<String, UserLine> users = Map.of();
  private @Nullable String problem;

  /** Changes with what is in a file. */
  private record Version(FileTime changed, long size, @Nullable Object key) {
    static Version of(Path file) throws IOException {
      BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
      return new Version(now.lastModifiedTime(), now.size(), now.fileKey());
    }
  }

  /**
   * Nothing is read before the first login.
   *
   * @param file where the users are
   */
  public UsersFile(Path file) {
    this.file = file;
  }

  /**
   * Looks whether the users can be read.
   *
   * @param file where they are
   * @return a sentence without passwords and hashes, or empty if all is well
   */
  public static Optional<String> problem(Path file) {
    try {
      read(file);
      return Optional.empty();
    } catch (IOException | IllegalArgumentException e) {
      return Optional.of(problem(file, e));
    }
  }

  private static String problem(Path file, Exception e) {
    if (e instanceof IllegalArgumentException) {
      return String.valueOf(e.getMessage());
    }
    return e instanceof MalformedInputException
        ? file + " must be text in UTF-8"
        : file + " cannot be read (waybill users add creates one)";
  }

  /**
   * Adds a user, or replaces one; all else of the file stays, its owner and mode too. A new file is
   * for its owner alone. Of two that are added at the same time, one may be lost.
   *
   * @param file where the users are
   * @param user the user
   * @throws IOException if the file cannot be read or written
   * @throws IllegalArgumentException if another line of it breaks a rule
   */
  public static void put(Path file, UserLine user) throws IOException {
    if (Files.notExists(file)) {
      create(file);
    }
    byte[] before = Files.readAllBytes(file);
    read(file);
    List<String> lines = new ArrayList<>(Files.readAllLines(file));
    lines.removeIf(line -> line.strip().startsWith(user.name() + ":"));
    lines.add(user.toString());
    write(file, before, lines);
  }

  private static void create(Path file) throws IOException {
    // For its owner alone.
    Path next =
        Files.createTempFile(
            Objects.requireNonNull(file.toAbsolutePath().getParent()), ".users", "");
    try {
      Files.move(next, file);
    } finally {
      Files.deleteIfExists(next);
    }
  }

  /** In place, since owner, mode and links stay. Who reads meanwhile reads again afterwards. */
  private static void write(Path file, byte[] before, List<String> lines) throws IOException {
    try {
      Files.write(file, lines);
    } catch (IOException e) {
      Files.write(file, before);
      throw e;
    }
  }

  static Map<String, UserLine> read(Path file) throws IOException {
    Map<String, UserLine> users = new LinkedHashMap<>();
    List<String> lines = Files.readAllLines(file);
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      try {
        UserLine user = UserLine.parse(line);
        if (users.put(user.name(), user) != null) {
          throw new IllegalArgumentException("there is a user '%s' already".formatted(user.name()));
        }
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "%s line %d: %s".formatted(file, i + 1, e.getMessage()), e);
      }
    }
    return users;
  }

  @Override
  public UserDetails loadUserByUsername(String name) {
    UserLine user = users().get(name);
    if (user == null) {
      throw new UsernameNotFoundException("unknown user");
    }
    return user.details();
  }

  private synchronized Map<String, UserLine> users() {
    try {
      Version now = Version.of(file);
      if (!now.equals(version)) {
        users = read(file);
        version = now;
        problem = null;
        LOG.info("{} has {} user(s)", file, users.size());
      }
    } catch (IOException | IllegalArgumentException e) {
      String why = problem(file, e);
      if (!why.equals(problem)) {
        problem = why;
        LOG.warn("{}; the {} user(s) from before stay until it can be read", why, users.size());
      }
    }
    return users;
  }
}
