package io.waybill.bench.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.bench.measure.Settings;
import io.waybill.bench.stage.Child.Program;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("server")
class ChildTest {
  private static final Duration LIMIT = Duration.ofMinutes(1);

  @TempDir private Path folder;

  @Test
  void whatIsSaidBeforeItIsAskedForIsKept() {
    Program program =
        new Program(
            System.getProperty("java.class.path"), Talker.class.getName(), "TALKER", List.of());
    try (Child child =
        Child.start(program, new Settings(Map.of()), 32, folder.resolve("child.log"))) {
      assertThat(child.await("count", LIMIT)).isEqualTo(List.of("7"));
      assertThat(child.await("done", LIMIT)).isEqualTo(List.of("7", "1"));
      child.awaitEnd(LIMIT);
    }
  }

  /** A process that is done before it says how far it is. */
  static final class Talker {
    private Talker() {}

    public static void main(String[] arguments) {
      System.out.println("done 7 1");
      System.out.println("count 7");
    }
  }
}
