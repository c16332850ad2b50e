package io.waybill.spring.autoconfigure;

import static io.waybill.spring.autoconfigure.StartReport.assertReport;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.spring.properties.WaybillProperties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/** The switch of all of Waybill. */
@ExtendWith(OutputCaptureExtension.class)
class EnabledKeyTest {
  private static final String NOBODY = "jdbc:postgresql://127.0.0.1:1/none";

  /** Waybill must not be left out without a word by what was meant to let it in. */
  @ParameterizedTest
  @ValueSource(strings = {"yes", "on", "1", "treu"})
  void aWordThatIsNeitherTrueNorFalseIsRefused(String word, CapturedOutput output) {
    assertReport(
        output,
        SmallApplication.Nothing.class,
        NOBODY,
        new String[] {"waybill.enabled=" + word, "waybill.relay.phase=x"},
        "waybill.enabled must be true or false, but is '%s' (defaultProperties)".formatted(word),
        "waybill.relay.phase must be a whole number, but is 'x' (defaultProperties)");
  }

  @Test
  void switchedOffItChecksNothingAndDoesNothing() {
    try (ConfigurableApplicationContext context =
        SmallApplication.run(NOBODY, "waybill.enabled=False", "waybill.relay.phase=x")) {
      assertThat(context.getBeanNamesForType(WaybillProperties.class)).isEmpty();
    }
  }
}
