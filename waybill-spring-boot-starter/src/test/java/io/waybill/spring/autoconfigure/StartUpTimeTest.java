package io.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.proof.server.FreePort;
import io.waybill.spring.Tables;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What the starter adds to the start of an application, each start in a process of its own. */
@Tag("server")
@Tag("long")
class StartUpTimeTest {
  private static final int STARTS = 5;

  @Test
  void theStarterAddsLessThan300Milliseconds() throws Exception {
    String url = Tables.create().url();
    List<Long> without = new ArrayList<>();
    List<Long> with = new ArrayList<>();
    for (int i = 0; i < STARTS; i++) {
      without.add(start(url, "false"));
      with.add(start(url, "true"));
    }
    long added = median(with) - median(without);
    System.out.printf(
        "median of %d starts: %d ms without, %d ms with, %d ms added%n",
        STARTS, median(without), median(with), added);
    assertThat(added).isLessThan(300);
  }

  private static long median(List<Long> times) {
    return times.stream().sorted().toList().get(times.size() / 2);
  }

  private static long start(String url, String enabled) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                url,
                enabled,
                "127.0.0.1:" + FreePort.find())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output
        .lines()
        .filter(line -> line.startsWith("READY "))
        .map(line -> Long.parseLong(line.substring(6)))
        .findFirst()
        .orElseThrow(() -> new AssertionError(output));
  }

  /** One start of a small application that has used its data source. */
  static final class Main {
    private Main() {}

    public static void main(String[] arguments) {
      try (ConfigurableApplicationContext context =
          SmallApplication.run(
              Ready.class,
              arguments[0],
              "waybill.enabled=" + arguments[1],
              "waybill.routes.default.target=orders",
              "waybill.kafka.bootstrap-servers=" + arguments[2])) {
        context.getId();
      }
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Ready {
    /** What nearly every application does at its start. */
    @Bean
    ApplicationRunner connect(DataSource source) {
      return arguments -> source.getConnection().close();
    }

    @Bean
    ApplicationListener<ApplicationReadyEvent> ready() {
      return event -> {
        Duration taken = event.getTimeTaken();
        System.out.println("READY " + (taken == null ? Long.MAX_VALUE : taken.toMillis()));
      };
    }
  }
}
