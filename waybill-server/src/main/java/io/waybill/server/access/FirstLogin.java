package io.waybill.server.access;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
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
  private final List<Path> files;

  private FirstLogin(List<Path> files) {
    this.files = files;
  }

  /**
   * Makes a token and shows it.
   *
   * @param terminal takes a line that a person sees, or null without a terminal
   * @return the login
   */
  public static FirstLogin show(@Nullable Consumer<String> terminal) {
    try {
      // A file for its owner alone.
      FirstLogin login =
          new FirstLogin(
              terminal == null ? List.of(Files.createTempFile("waybill-login-", "")) : List.of());
      login.tell(terminal);
      return login;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void tell(@Nullable Consumer<String> terminal) throws IOException {
    if (terminal != null) {
      terminal.accept(
          "The API has no users yet. Until it stops, log in as '%s' with the password %s"
              .formatted(NAME, token));
      return;
    }
    for (Path file : files) {
      Files.writeString(file, NAME + ":" + token + System.lineSeparator());
      LOG.info(
          "the API has no users yet (waybill.api.users); the login until it stops is in {}", file);
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
    for (Path file : files) {
      Files.deleteIfExists(file);
    }
  }
}
