package io.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

import io.waybill.spring.TestServers;
import org.springframework.boot.test.system.CapturedOutput;

/** What is printed when a start fails: what is wrong and what to do, once, without stack trace. */
final class StartReport {
  private StartReport() {}

  /** In an empty database. */
  static void assertReport(CapturedOutput output, String[] properties, String... parts) {
    String url = TestServers.database();
    assertReport(output, SmallApplication.Nothing.class, url, properties, parts);
  }

  static void assertReport(
      CapturedOutput output, Class<?> more, String url, String[] properties, String... parts) {
    assertThatException().isThrownBy(() -> SmallApplication.run(more, url, properties));
    assertThat(output.getAll())
        .containsOnlyOnce("APPLICATION FAILED TO START")
        .contains("Description:", "Action:")
        .contains(parts)
        .doesNotContain("\tat ");
  }
}
