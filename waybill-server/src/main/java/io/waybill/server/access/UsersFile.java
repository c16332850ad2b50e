package io.waybill.server.access;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
  private FileTime changed;
  private Map<String, UserLine> users;

  private UsersFile(Path file) throws IOException {
    this.file = file;
    this.changed = Files.getLastModifiedTime(file);
    this.users = read(file);
  }

  /**
   * Reads the users.
   *
   * @param file where they are
   * @return the users
   * @throws IllegalArgumentException if there is no such file, or a line of it breaks a rule; the
   *     message has no password and no hash
   */
  public static UsersFile of(Path file) {
    try {
      return new UsersFile(file);
    } catch (MalformedInputException e) {
      throw new IllegalArgumentException("must be text in UTF-8, but %s is not".formatted(file), e);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "must be a file that can be read, but %s is not (waybill users add creates one)"
              .formatted(file),
          e);
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
      FileTime last = Files.getLastModifiedTime(file);
      if (!last.equals(changed)) {
        changed = last;
        users = read(file);
        LOG.info("{} has {} user(s) now", file, users.size());
      }
    } catch (IOException | UncheckedIOException | IllegalArgumentException e) {
      LOG.warn("the users of {} stay as they were: {}", file, e.getMessage());
    }
    return users;
  }
}
