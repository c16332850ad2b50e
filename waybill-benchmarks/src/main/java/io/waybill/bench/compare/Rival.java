package io.waybill.bench.compare;

import io.waybill.bench.measure.Settings;
import io.waybill.bench.rival.RivalMain;
import io.waybill.bench.stage.Candidate;
import io.waybill.bench.stage.Child;
import io.waybill.bench.stage.Child.Program;
import io.waybill.bench.stage.Contender;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A rival that was built, tuned or at its defaults.
 *
 * @param kind which one
 * @param tuned whether as its documentation advises
 * @param classPath of its processes
 * @param version its own
 * @param told its settings, filled when it prepares a table
 */
record Rival(
    RivalKind kind, boolean tuned, String classPath, String version, Map<String, String> told)
    implements Contender {
  /** Ends the name of a candidate that is not tuned. */
  static final String DEFAULT = "-default";

  private static final Duration PREPARE_LIMIT = Duration.ofMinutes(10);
  private static final int PREPARE_HEAP_MB = 256;

  Rival(RivalKind kind, boolean tuned, String classPath, String version) {
    this(kind, tuned, classPath, version, new TreeMap<>());
  }

  @Override
  public String label() {
    return tuned ? kind.label() : kind.label() + DEFAULT;
  }

  @Override
  public Candidate.Table table() {
    return Candidate.Table.NONE;
  }

  @Override
  public boolean publishes() {
    return true;
  }

  @Override
  public boolean writesItself() {
    return true;
  }

  @Override
  public void prepare(Settings settings, Path log) {
    try (Child child = start("prepare", settings, PREPARE_HEAP_MB, log)) {
      for (String word : child.await("prepared", PREPARE_LIMIT)) {
        String setting = URLDecoder.decode(word, StandardCharsets.UTF_8);
        int equals = setting.indexOf('=');
        if (equals > 0) {
          told.put(setting.substring(0, equals), setting.substring(equals + 1));
        }
      }
    }
  }

  @Override
  public Child start(Settings settings, int heapMb, Path log) {
    return start("relay", settings, heapMb, log);
  }

  private Child start(String role, Settings settings, int heapMb, Path log) {
    return Child.start(
        new Program(classPath, RivalMain.class.getName(), role, List.of()),
        settings.with("tuned", tuned),
        heapMb,
        log);
  }
}
