package io.waybill.server.command;

import io.waybill.server.access.Passwords;
import io.waybill.server.access.UserLine;
import io.waybill.server.access.UsersFile;
import io.waybill.server.terminal.CommandContext;
import io.waybill.server.terminal.CommandFailure;
import io.waybill.server.terminal.ExitCode;
import io.waybill.server.terminal.Output;
import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Keeps the file of the API's users. */
@Command(name = "users", description = "Keep the file of the users of the API.")
final class UsersCommand extends Group {
  private static final int SHORTEST = 12;
  // What bcrypt takes.
  private static final int MOST_BYTES = 72;

  @Command(
      name = "add",
      description = {
        "Add a user to the file, or replace one. The password is asked for, or read from standard input.",
        "With --generate, the command makes up a password for a program and prints it, once."
      })
  int add(
      @Mixin Output output,
      @Option(
              names = "--file",
              paramLabel = "FILE",
              required = true,
              description = "The file that waybill.api.users names. It need not exist.")
          Path file,
      @Option(
              names = "--role",
              paramLabel = "ROLE",
              required = true,
              split = ",",
              description =
                  "viewer, operator or administrator; of one outbox with @NAME behind it. Several"
                      + " with commas.")
          List<String> roles,
      @Option(names = "--generate", description = "Make up the password.") boolean generate,
      @Parameters(paramLabel = "USER", description = "Name of the user.") String name) {
    try {
      UserLine user = new UserLine(name, roles, "");
      String password = generate ? Passwords.token() : password(name);
      UsersFile.put(
          file,
          user.withHash(generate ? Passwords.hashOfToken(password) : Passwords.hash(password)));
      Map<String, String> result = new LinkedHashMap<>();
      result.put("user", name);
      result.put("roles", String.join(",", roles));
      if (generate) {
        result.put("password", password);
      }
      output.object(result);
      return ExitCode.OK;
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "%s cannot be written to (%s)".formatted(file, e.getClass().getSimpleName()));
    }
  }

  private static String password(String name) throws IOException {
    String password;
    if (CommandContext.ofProcess().terminal()) {
      Console console = Objects.requireNonNull(System.console());
      char[] typed = console.readPassword("Password of %s: ", name);
      password = typed == null ? "" : new String(typed);
    } else {
      BufferedReader input =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      password = Objects.requireNonNullElse(input.readLine(), "");
    }
    int bytes = password.getBytes(StandardCharsets.UTF_8).length;
    if (password.length() < SHORTEST || bytes > MOST_BYTES) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "The password must have at least %d characters and at most %d bytes, but has %d characters"
              .formatted(SHORTEST, MOST_BYTES, password.length()));
    }
    return password;
  }
}
