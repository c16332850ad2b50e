package io.waybill.server.access;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;

/**
 * The login of an API that has no users yet: an administrator with a token that lasts as long as
 * the process. The terminal shows it, or a file that its owner alone can read has it, never a log.
 */
public final class FirstLogin implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(FirstLogin.class);
  private static final String NAME = "first";

  private final String token = Passwords.token();
  private final @Nullable Path file;

  private FirstLogin(@Nullable Path file) {
    this.file = file;
  }

  /**
   * Makes a token and shows it.
   *
   * @param terminal takes a line that a person sees, or null without a terminal
   * @return the login
   */
  public static FirstLogin show(@Nullable Consumer<String> terminal) {
    if (terminal != null) {
      FirstLogin login = new FirstLogin(null);
      terminal.accept(
          "The API has no users yet. Until it stops, log in as '%s' with the password %s"
              .formatted(NAME, login.token));
      return login;
    }
    try {
      // For its owner alone.
      Path file = Files.createTempFile("waybill-login-", "");
      FirstLogin login = new FirstLogin(file);
      Files.writeString(file, NAME + ":" + login.token + System.lineSeparator());
      LOG.info(
          "the API has no users yet (waybill.api.users); the login until it stops is in {}", file);
      return login;
    } catch (IOException e) {
      LOG.warn(
          "the API has no users (waybill.api.users), and there is no file for a first login ({});"
              + " no login works until it has users and starts again",
          e.getMessage());
      return new FirstLogin(null);
    }
  }

  /**
   * The one user.
   *
   * @return for Spring Security
   */
  public UserDetailsService users() {
    return new InMemoryUserDetailsManager(
        new UserLine(NAME, List.of("administrator"), Passwords.hashOfToken(token)).details());
  }

  @Override
  public void close() throws IOException {
    if (file != null) {
      Files.deleteIfExists(file);
    }
  }
}
