package io.waybill.bench.compare;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The rivals that the build left class paths of, and why the others are left out.
 *
 * @param found both candidates of each
 * @param missing the others
 */
record Rivals(List<Rival> found, List<Missing> missing) {
  private static final String CLASS_PATH = "target/rival.classpath";
  private static final String BUILD_LOG = "target/rivals.log";
  private static final int SHOWN = 300;

  /**
   * A rival that could not be built.
   *
   * @param name rival
   * @param reason what the build said
   */
  record Missing(String name, String reason) {}

  /** Copies the lists. */
  Rivals {
    found = List.copyOf(found);
    missing = List.copyOf(missing);
  }

  /**
   * Looks where the build puts them.
   *
   * @param modules folder of the rivals' modules
   */
  static Rivals in(Path modules) {
    List<Rival> found = new ArrayList<>();
    List<Missing> missing = new ArrayList<>();
    for (RivalKind kind : RivalKind.values()) {
      Path module = modules.resolve(kind.label());
      Path file = module.resolve(CLASS_PATH);
      if (Files.exists(file)) {
        String classPath = module.resolve("target/classes") + File.pathSeparator + read(file);
        String version = version(classPath, kind.artifact());
        found.add(new Rival(kind, true, classPath, version));
        found.add(new Rival(kind, false, classPath, version));
      } else {
        missing.add(new Missing(kind.label(), reason(modules.resolve(BUILD_LOG), kind)));
      }
    }
    return new Rivals(found, missing);
  }

  /** The version in the name of a jar, or "unknown". */
  static String version(String classPath, String artifact) {
    Matcher jar =
        Pattern.compile("/" + Pattern.quote(artifact) + "-(\\d[^/:]*)\\.jar").matcher(classPath);
    return jar.find() ? jar.group(1) : "unknown";
  }

  private static String reason(Path log, RivalKind kind) {
    String absence = kind.absence();
    if (absence != null) {
      return absence;
    }
    if (!Files.exists(log)) {
      return "it was not built";
    }
    String project = "waybill-rival-" + kind.label() + ":";
    try (Stream<String> lines = Files.lines(log)) {
      return lines
          .filter(line -> line.contains("on project " + project) || line.contains(project + "jar"))
          .findFirst()
          .map(line -> line.length() > SHOWN ? line.substring(0, SHOWN) : line)
          .orElse("it was not built; see " + log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
