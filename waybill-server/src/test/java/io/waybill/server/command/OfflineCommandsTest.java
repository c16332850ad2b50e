package io.waybill.server.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.server.terminal.CommandContext;
import io.waybill.server.terminal.ExitCode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that need no database, and what goes wrong before one is asked. */
class OfflineCommandsTest extends OfflineSetting {
  @Test
  void helpAndVersionAreThere() {
    CommandRun help = CommandRun.of(Map.of(), "--help");
    assertThat(help.code()).isEqualTo(ExitCode.OK);
    assertThat(help.out())
        .contains("relay", "schema", "status", "events", "destinations", "demo", "doctor", "config")
        .contains("Exit codes");
    assertThat(CommandRun.of(Map.of(), "events", "--help").out())
        .contains("list", "show", "retry", "skip", "park", "bury", "replay");
    assertThat(CommandRun.of(Map.of(), "--version").out()).startsWith("waybill ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "nonsense",
        "events",
        "schema",
        "destinations",
        "config",
        "events show",
        "events list --nonsense",
        "events list --state lost",
        "events list --older-than 15",
        "events list --limit 0",
        "events list --limit 10001",
        "events list --key order",
        "events retry",
        "events skip --reason x --yes",
        "events retry e1 --wait soon",
        "destinations pause",
        "schema print --lanes 0",
        "schema print --schema a;b",
        "schema print --database oracle",
        "schema print --grants a,b",
        "schema print --grants a,b,c,d;e",
        "status --outbox nowhere",
        "demo"
      })
  void wrongUsageIsExitCode2(String line) {
    CommandRun run =
        CommandRun.on(config, SECRETS, line.isEmpty() ? new String[0] : line.split(" "));

    assertThat(run.code()).as(run.toString()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).isNotBlank();
  }

  @Test
  void wrongUsageIsOneSentenceThatNamesTheHelp() {
    CommandRun option = CommandRun.on(config, SECRETS, "events", "list", "--sate", "parked");
    assertThat(option.err())
        .isEqualTo(
            "Unknown option: '--sate', did you mean '--state'?"
                + " See 'waybill events list --help'.\n");
    assertThat(CommandRun.of(Map.of(), "events").err())
        .isEqualTo(
            "Say which command of waybill events: correct, count, list, show, retry, skip, park, bury,"
                + " replay, purge."
                + " See 'waybill events --help'.\n");
    CommandRun json = CommandRun.on(config, SECRETS, "events", "show", "--json");
    assertThat(json.json().get("exitCode").asInt()).isEqualTo(ExitCode.USAGE);
    assertThat(json.json().get("error").asString()).contains("ID");
  }

  @Test
  void aWrongConfigurationIsAListForProgramsToo() {
    CommandRun.write(folder, YAML + "server: {port: x}\nlog: {}\n");
    CommandRun run = CommandRun.on(config, SECRETS, "config", "check", "--json");
    assertThat(run.code()).isEqualTo(ExitCode.CONFIG);
    assertThat(run.json().get("problems").valueStream().map(each -> each.get("key").asString()))
        .contains("server.port");
    CommandRun.write(folder, YAML);
    assertThat(
            CommandRun.on(config, SECRETS, "config", "check", "--json")
                .json()
                .get("outboxes")
                .asInt())
        .isEqualTo(1);
  }

  @Test
  void aTableThatIsWiderThanTheTerminalIsPrintedAsBlocks() {
    Map<String, String> narrow = Map.of("SECRET", CANARY, "COLUMNS", "60");
    String wide = CommandRun.on(config, SECRETS, "config", "print").out();
    String blocks = CommandRun.on(config, narrow, "config", "print").out();

    assertThat(wide.lines().findFirst().orElse("")).matches("setting +value +origin");
    assertThat(blocks.lines()).allMatch(line -> line.length() <= 60);
    assertThat(blocks).contains("setting  waybill.outboxes.orders.database.url\nvalue    jdbc:");
  }

  @Test
  void completionIsAScriptThatBashTakes() throws Exception {
    CommandRun script = CommandRun.of(Map.of(), "generate-completion");
    Path file = Files.writeString(folder.resolve("completion"), script.out());
    String line =
        "source %s; COMP_WORDS=(waybill events li); COMP_CWORD=2; _complete_waybill;"
                .formatted(file)
            + " echo \"${COMPREPLY[@]}\"";
    Process bash = new ProcessBuilder("bash", "-c", line).redirectErrorStream(true).start();

    assertThat(new String(bash.getInputStream().readAllBytes(), UTF_8)).contains("list");
    assertThat(bash.waitFor()).isZero();
  }

  @Test
  void helpHasColoursOnATerminalThatShowsThemAndNobodyRefusesThem() {
    assertThat(help(Map.of("TERM", "xterm"), true)).contains("\u001b[");
    assertThat(help(Map.of("TERM", "dumb"), true)).doesNotContain("\u001b[");
    assertThat(help(Map.of("TERM", "xterm", "NO_COLOR", "1"), true)).doesNotContain("\u001b[");
    assertThat(help(Map.of("TERM", "xterm"), false)).doesNotContain("\u001b[");
  }

  private static String help(Map<String, String> environment, boolean terminal) {
    StringWriter out = new StringWriter();
    Commands.run(
        new CommandContext(environment, "operator", terminal),
        new PrintWriter(out, true),
        new PrintWriter(new StringWriter(), true),
        "--help");
    return out.toString();
  }

  @Test
  void aWrongConfigurationIsExitCode3AndListsEverything() {
    CommandRun.write(folder, YAML + "server: {port: x}\nlog: {}\n");

    CommandRun run = CommandRun.on(config, SECRETS, "config", "check");
    assertThat(run.code()).isEqualTo(ExitCode.CONFIG);
    assertThat(run.err()).contains("server.port").contains("log is not a known key");
    assertThat(CommandRun.of(Map.of(), "relay", "--config", "nowhere.yaml").code())
        .isEqualTo(ExitCode.CONFIG);
  }

  @Test
  void configCheckSaysThatAllIsFine() {
    CommandRun run = CommandRun.on(config, SECRETS, "config", "check");

    assertThat(run.code()).isEqualTo(ExitCode.OK);
    assertThat(run.out()).contains("The configuration is fine: 1 outbox");
  }

  @Test
  void configPrintShowsEverySettingWithItsOriginAndNoSecret() {
    CommandRun text = CommandRun.of(SECRETS, "config", "print", "--config", config.toString());
    assertThat(text.code()).isEqualTo(ExitCode.OK);
    assertThat(text.out())
        .contains("waybill.outboxes.orders.database.password")
        .contains("***")
        .containsPattern("waybill.relay.grace-period +20s +default")
        .containsPattern("server.port +8080 +default")
        .doesNotContain("waybill.inbox", "waybill.routes")
        .containsPattern("management.endpoints.web.path-mapping.prometheus +metrics +default");

    CommandRun json = CommandRun.of(SECRETS, "config", "print", "--json", "-c", config.toString());
    assertThat(json.jsonTexts("setting")).contains("waybill.outboxes.orders.limits.lease");
    assertThat(text.toString() + json).doesNotContain(CANARY);
  }

  @Test
  void configPrintShowsSpringBootsKeysThatAreGiven() {
    CommandRun.write(
        folder,
        YAML
            + """
            server.port: 9000
            logging.level: {io.waybill: debug}
            spring.security.user: {name: operator, password: "${SECRET}"}
            """);
    Map<String, String> variables = Map.of("SECRET", CANARY, "SERVER_ADDRESS", "localhost");

    CommandRun run = CommandRun.on(config, variables, "config", "print");
    assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.OK);
    assertThat(run.out())
        .containsPattern("server.port +9000 +waybill.yaml line [0-9]+")
        .containsPattern("server.address +localhost +.*SERVER_ADDRESS")
        .containsPattern("logging.level.io.waybill +debug +waybill.yaml line [0-9]+")
        .containsPattern("spring.security.user.password +[*]{3} +waybill.yaml line [0-9]+")
        .doesNotContain(CANARY);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "status",
        "doctor",
        "schema apply",
        "schema check",
        "schema empty",
        "events list",
        "events show e1",
        "events retry e1",
        "events bury e1 --yes --reason x",
        "destinations list",
        "destinations pause orders --yes --reason x"
      })
  void anUnreachableDatabaseIsExitCode4WithoutASecret(String line) {
    CommandRun run = CommandRun.on(config, SECRETS, line.split(" "));

    assertThat(run.code()).as(run.toString()).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(run.err()).isNotBlank();
    assertThat(run.toString()).doesNotContain(CANARY);
  }

  @Test
  void severalOutboxesNeedANameWhereOneIsMeant() {
    CommandRun.write(
        folder, YAML + YAML.substring(YAML.indexOf("    orders:")).replace("orders:", "bills:"));

    CommandRun run = CommandRun.on(config, SECRETS, "events", "list");
    assertThat(run.code()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("--outbox").contains("bills, orders");
    assertThat(CommandRun.on(config, SECRETS, "events", "list", "-o", "bills").code())
        .isEqualTo(ExitCode.UNREACHABLE);
  }

  @Test
  void foreignTextIsEscapedInErrors() {
    CommandRun.write(folder, YAML + "  relay: {name: \"\\e[31mred\"}\n");

    CommandRun run = CommandRun.on(config, SECRETS, "config", "check");
    assertThat(run.err()).contains("\\u001b[31mred").doesNotContain("\u001b");
  }
}
