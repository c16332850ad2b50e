package io.waybill.server.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.server.access.Passwords;
import io.waybill.server.access.UsersFile;
import io.waybill.server.terminal.ExitCode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.userdetails.UserDetails;

/** The file of the API's users. */
class UsersCommandTest {
  private static final String PASSWORD = "correct horse battery";

  @TempDir private Path folder;

  private Path file() {
    return folder.resolve("users");
  }

  private CommandRun add(String input, String... arguments) {
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream((input + "\n").getBytes(UTF_8)));
    try {
      List<String> all = new ArrayList<>(List.of("users", "add", "--file", file().toString()));
      all.addAll(Arrays.asList(arguments));
      return CommandRun.of(Map.of(), all.toArray(String[]::new));
    } finally {
      System.setIn(before);
    }
  }

  @Test
  void aPasswordIsReadAndKeptAsAHash() throws IOException {
    assertThat(add(PASSWORD, "alice", "--role", "operator,viewer@bills").code())
        .isEqualTo(ExitCode.OK);

    assertThat(Files.readString(file()))
        .startsWith("alice:operator,viewer@bills:{bcrypt}$2")
        .doesNotContain(PASSWORD);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
        .isEqualTo("rw-------");
    UserDetails alice = new UsersFile(file()).loadUserByUsername("alice");
    assertThat(alice.getAuthorities())
        .extracting(GrantedAuthority::getAuthority)
        .containsExactlyInAnyOrder("ROLE_WAYBILL_OPERATOR", "ROLE_WAYBILL_VIEWER_bills");
    assertThat(new Passwords().matches(PASSWORD, alice.getPassword())).isTrue();
    assertThat(new Passwords().matches("wrong", alice.getPassword())).isFalse();
  }

  @Test
  void aGeneratedPasswordIsPrintedOnce() throws IOException {
    CommandRun run = add("", "grafana", "--role", "viewer", "--generate", "--json");

    String password = run.json().get("password").asString();
    assertThat(password).hasSize(43);
    assertThat(Files.readString(file())).doesNotContain(password).contains("{sha256}");
    UserDetails user = new UsersFile(file()).loadUserByUsername("grafana");
    assertThat(new Passwords().matches(password, user.getPassword())).isTrue();
    assertThat(new Passwords().matches(password + "x", user.getPassword())).isFalse();
  }

  @Test
  void aLinkAndTheModeOfItsFileStay() throws IOException {
    Path real = Files.writeString(folder.resolve("real"), "");
    Files.setPosixFilePermissions(real, PosixFilePermissions.fromString("rw-r-----"));
    Files.createSymbolicLink(file(), real);

    assertThat(add(PASSWORD, "alice", "--role", "viewer").code()).isEqualTo(ExitCode.OK);

    assertThat(Files.isSymbolicLink(file())).isTrue();
    assertThat(Files.readString(real)).startsWith("alice:viewer:");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(real)))
        .isEqualTo("rw-r-----");
  }

  @Test
  void aFileThatCannotBeWrittenIsNamed() {
    CommandRun run =
        CommandRun.of(
            Map.of(),
            "users",
            "add",
            "bob",
            "--role",
            "viewer",
            "--generate",
            "--file",
            folder.resolve("no/such/folder").toString());

    assertThat(run.code()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("no/such/folder cannot be written to (NoSuchFile");
  }

  @Test
  void aUserIsReplacedAndAllElseStays() throws IOException {
    add(PASSWORD, "alice", "--role", "operator");
    String first = Files.readAllLines(file()).get(0);
    Files.write(file(), List.of("# who is on call", first, ""));
    add(PASSWORD, "bob", "--role", "viewer");
    add(PASSWORD, "alice", "--role", "viewer");

    List<String> lines = Files.readAllLines(file());
    assertThat(lines).hasSize(4).startsWith("# who is on call", "");
    assertThat(lines.get(2)).startsWith("bob:viewer:");
    assertThat(lines.get(3)).startsWith("alice:viewer:");
  }

  @ParameterizedTest
  @CsvSource({
    "alice, root, role must be viewer",
    "alice, operator@, role must be viewer",
    "alice, Viewer, role must be viewer",
    "al:ice, viewer, name must match",
    "'', viewer, name must match"
  })
  void whatBreaksARuleIsNamed(String name, String role, String rule) {
    CommandRun run = add(PASSWORD, name, "--role", role);

    assertThat(run.code()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains(rule).doesNotContain(PASSWORD);
    assertThat(file()).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource({"short", "''"})
  void aShortPasswordIsRefused(String password) {
    CommandRun run = add(password, "alice", "--role", "viewer");

    assertThat(run.code()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("at least 12 characters");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "alice | must be NAME:ROLE,...:HASH",
        "alice:viewer:plain secret | must be a hash",
        "alice:viewer:{noop}secret | must be a hash",
        "alice:root:{sha256}HASH | role must be viewer",
        "alice:viewer:{sha256}HASH;alice:viewer:{sha256}HASH | there is a user 'alice' already"
      })
  void aBrokenFileIsNotWrittenTo(String lines, String rule) throws IOException {
    List<String> all = List.of(lines.replace("HASH", "0".repeat(64)).split(";", -1));
    Files.write(file(), all);

    CommandRun run = add(PASSWORD, "bob", "--role", "viewer");

    assertThat(run.code()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("users line " + all.size(), rule).doesNotContain("secret");
    assertThat(Files.readAllLines(file())).isEqualTo(all);
  }
}
