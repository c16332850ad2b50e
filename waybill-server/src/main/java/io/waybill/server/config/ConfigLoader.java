package io.waybill.server.config;

import io.waybill.server.yaml.YamlDocument;
import io.waybill.server.yaml.YamlProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads a configuration from a YAML file and the environment, and checks all of it. */
public final class ConfigLoader {
  private static final Pattern OUTBOX = Pattern.compile("[a-z][a-z0-9-]{0,62}");
  private static final Pattern RELAY = Pattern.compile("[A-Za-z0-9._-]{1,100}");

  /** Variables that the start script and the command line use themselves. */
  private static final Set<String> OWN = Set.of("WAYBILL_CONFIG", "WAYBILL_JAVA_OPTS");

  private ConfigLoader() {}

  /**
   * Reads and checks a file.
   *
   * @param file the YAML file
   * @param environment environment variables
   * @param defaultName name of the relay if the configuration has none
   * @return the configuration
   * @throws ConfigException if anything is wrong, with all of it
   */
  public static LoadedConfig load(Path file, Map<String, String> environment, String defaultName) {
    try {
      return parse(file.toString(), Files.readAllBytes(file), environment, defaultName);
    } catch (IOException e) {
      Problem problem = new Problem("", "cannot be read", "", "");
      throw new ConfigException(file.toString(), List.of(problem));
    }
  }

  /**
   * Reads and checks a document.
   *
   * @param label what to call it in messages
   * @param yaml the document
   * @param environment environment variables
   * @param defaultName name of the relay if the configuration has none
   * @return the configuration
   * @throws ConfigException if anything is wrong, with all of it
   */
  public static LoadedConfig parse(
      String label, byte[] yaml, Map<String, String> environment, String defaultName) {
    YamlDocument document = YamlDocument.parse(label, yaml);
    Source source = new Source(environment);
    for (YamlProblem problem : document.problems()) {
      String line = problem.line() > 0 ? "line " + problem.line() : "";
      source.problem(problem.path(), problem.rule(), "", line);
    }
    boolean unreadable = document.problems().stream().anyMatch(p -> p.path().isEmpty());
    ServerConfig config =
        unreadable ? null : read(new Section(source, "", document.root().entries()), defaultName);
    if (config == null || !source.problems().isEmpty()) {
      throw new ConfigException(label, source.problems());
    }
    return new LoadedConfig(config, source.settings(), warnings(source));
  }

  private static ServerConfig read(Section root, String defaultName) {
    Section relay = root.section("relay");
    String name = relay.text("name", RELAY, "must match [A-Za-z0-9._-]{1,100}", defaultName);
    Duration grace =
        relay.duration(
            "grace-period", Duration.ofSeconds(20), Duration.ZERO, Duration.ofMinutes(10));
    relay.done();
    HttpConfig http = HttpConfig.read(root.section("http"));
    LoggingConfig logging = LoggingConfig.read(root.section("logging"));
    TracingConfig tracing = TracingConfig.read(root.section("tracing"));
    List<OutboxConfig> outboxes = new ArrayList<>();
    root.sections("outboxes").forEach((key, s) -> outboxes.add(outbox(root, key, s)));
    if (outboxes.isEmpty()) {
      root.problem("outboxes", "must have at least one outbox");
    }
    root.done();
    return new ServerConfig(name, grace, http, logging, tracing, outboxes);
  }

  private static OutboxConfig outbox(Section root, String name, Section section) {
    if (!OUTBOX.matcher(name).matches()) {
      root.problem("outboxes", "must have names that match " + OUTBOX, name);
    }
    return OutboxReader.read(name, section);
  }

  private static List<String> warnings(Source source) {
    List<String> warnings = new ArrayList<>(source.warnings());
    for (String variable : source.unusedVariables()) {
      if (!OWN.contains(variable)) {
        warnings.add("environment variable " + variable + " names no setting and is ignored");
      }
    }
    return warnings;
  }
}
