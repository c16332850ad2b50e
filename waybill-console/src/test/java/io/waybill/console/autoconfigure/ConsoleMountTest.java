package io.waybill.console.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.spring.autoconfigure.WaybillApiAutoConfiguration;
import io.waybill.spring.autoconfigure.WaybillAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.security.web.DefaultSecurityFilterChain;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.util.matcher.AnyRequestMatcher;
import org.springframework.web.servlet.handler.SimpleUrlHandlerMapping;

/** In which applications the console is there, and what the others say. */
@ExtendWith(OutputCaptureExtension.class)
class ConsoleMountTest {
  private static WebApplicationContextRunner application() {
    return new WebApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                WaybillAutoConfiguration.class,
                WaybillApiAutoConfiguration.class,
                WaybillConsoleAutoConfiguration.class))
        .withPropertyValues(
            "waybill.relay.enabled=false",
            "waybill.outboxes.orders.database.url=jdbc:postgresql://127.0.0.1:9/shop");
  }

  private static SecurityFilterChain security() {
    return new DefaultSecurityFilterChain(AnyRequestMatcher.INSTANCE);
  }

  @Test
  void withSpringSecurityItIsThere(CapturedOutput output) {
    application()
        .withPropertyValues("waybill.console.enabled=true")
        .withBean(SecurityFilterChain.class, ConsoleMountTest::security)
        .run(
            context ->
                assertThat(
                        context
                            .getBean("waybillConsoleMapping", SimpleUrlHandlerMapping.class)
                            .getHandlerMap()
                            .keySet())
                    .containsExactlyInAnyOrder("/console", "/console/**"));
    assertThat(output).doesNotContain("is not there");
  }

  @Test
  void withoutSpringSecurityItIsNotAndAWarningSaysWhy(CapturedOutput output) {
    application()
        .withPropertyValues("waybill.console.enabled=true")
        .run(
            context -> assertThat(context).hasNotFailed().doesNotHaveBean("waybillConsoleMapping"));
    assertThat(output)
        .containsOnlyOnce("the console is not there, because Spring Security does not protect");
  }

  @Test
  void itIsOffUnlessAskedFor(CapturedOutput output) {
    application()
        .withPropertyValues("waybill.api.enabled=true")
        .withBean(SecurityFilterChain.class, ConsoleMountTest::security)
        .run(context -> assertThat(context).doesNotHaveBean("waybillConsoleMapping"));
    assertThat(output).doesNotContain("console");
  }
}
