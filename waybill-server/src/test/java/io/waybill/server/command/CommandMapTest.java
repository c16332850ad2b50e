package io.waybill.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.server.terminal.CommandContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Every command and every option stands in docs/commands.md with a test that there is. */
class CommandMapTest {
  private static final Path MAP = Path.of("..", "docs", "commands.md");
  private static final Pattern CELL = Pattern.compile("`([^`]+)`");
  private static final Pattern TEST =
      Pattern.compile("`([A-Za-z]+(?:Test|Contract))\\.([A-Za-z0-9]+)` \\|$");
  private final CommandLine root = Commands.commandLine(new CommandContext(Map.of(), "operator"));

  @Test
  void everyCommandIsMapped() throws IOException {
    Set<String> commands = new TreeSet<>();
    collect("", root, commands);

    assertThat(commandsInMap()).containsExactlyInAnyOrderElementsOf(commands);
  }

  @Test
  void everyOptionIsMapped() throws IOException {
    Set<String> options = new TreeSet<>();
    collectOptions(root, options);

    Set<String> mapped =
        rows().stream()
            .flatMap(row -> CELL.matcher(row).results())
            .map(match -> match.group(1))
            .filter(cell -> cell.startsWith("--"))
            .collect(Collectors.toSet());
    assertThat(mapped).containsExactlyInAnyOrderElementsOf(options);
  }

  @Test
  void noOptionTakesASecret() {
    Set<String> options = new TreeSet<>();
    collectOptions(root, options);

    // The name of a file is no secret.
    assertThat(options.stream().filter(option -> !option.endsWith("-file")))
        .isNotEmpty()
        .noneMatch(option -> option.matches(".*(password|secret|token|credential|key-store).*"));
  }

  @Test
  void everyTestOfTheMapIsThere() throws Exception {
    for (String row : rows()) {
      Matcher matcher = TEST.matcher(row);
      assertThat(matcher.find()).as(row).isTrue();
      Class<?> test = Class.forName("io.waybill.server.command." + matcher.group(1));
      assertThat(Arrays.stream(test.getDeclaredMethods()).map(method -> method.getName()))
          .contains(matcher.group(2));
    }
  }

  @Test
  void everyCommandHasExamplesThatParse() {
    Set<String> commands = new TreeSet<>();
    collect("", root, commands);

    for (String command : commands) {
      assertThat(HelpExamples.of(command)).as(command).isNotEmpty();
      for (String example : HelpExamples.of(command)) {
        assertThat(example).startsWith(command);
        parse(example);
        CommandLine line = parse(command + " --help");
        assertThat(line.getUsageMessage()).contains("  waybill " + example, "Exit codes");
      }
    }
  }

  /** As a shell would split it, up to where its output goes. */
  private CommandLine parse(String example) {
    String[] words =
        Pattern.compile("'([^']*)'|[^' ]+")
            .matcher(example.replaceAll(" >.*", ""))
            .results()
            .map(word -> word.group(1) == null ? word.group() : word.group(1))
            .toArray(String[]::new);
    List<CommandLine> lines = root.parseArgs(words).asCommandLineList();
    return lines.get(lines.size() - 1);
  }

  private static List<String> rows() throws IOException {
    return Files.readAllLines(MAP).stream().filter(line -> line.startsWith("| `")).toList();
  }

  private static Set<String> commandsInMap() throws IOException {
    return rows().stream()
        .map(CELL::matcher)
        .filter(Matcher::find)
        .map(matcher -> matcher.group(1))
        .filter(cell -> !cell.startsWith("--"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static void collect(String prefix, CommandLine line, Set<String> commands) {
    // Under its own name, not under a short form.
    line.getSubcommands()
        .values()
        .forEach(
            sub -> {
              String name = sub.getCommandName();
              if (sub.getSubcommands().isEmpty()) {
                commands.add(prefix + name);
              }
              collect(prefix + name + " ", sub, commands);
            });
  }

  private static void collectOptions(CommandLine line, Set<String> options) {
    line.getCommandSpec().options().stream().map(OptionSpec::longestName).forEach(options::add);
    line.getSubcommands().values().forEach(sub -> collectOptions(sub, options));
  }
}
