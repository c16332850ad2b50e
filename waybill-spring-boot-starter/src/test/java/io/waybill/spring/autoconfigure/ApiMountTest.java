package io.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.spring.internal.api.OutboxApi;
import io.waybill.spring.properties.WaybillProperties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.security.web.DefaultSecurityFilterChain;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.util.matcher.AnyRequestMatcher;
import org.springframework.web.servlet.handler.SimpleUrlHandlerMapping;

/** In which applications the API is there, and what the others say. */
@ExtendWith(OutputCaptureExtension.class)
class ApiMountTest {
  private static <R extends AbstractApplicationContextRunner<R, ?, ?>> R application(R runner) {
    return runner
        .withConfiguration(
            AutoConfigurations.of(
                WaybillAutoConfiguration.class, WaybillApiAutoConfiguration.class))
        .withPropertyValues(
            "waybill.relay.enabled=false",
            "waybill.outboxes.orders.database.url=jdbc:postgresql://127.0.0.1:9/shop");
  }

  private static SecurityFilterChain security() {
    return new DefaultSecurityFilterChain(AnyRequestMatcher.INSTANCE);
  }

  private static Iterable<String> addresses(ApplicationContext context) {
    return context
        .getBean("waybillApiMapping", SimpleUrlHandlerMapping.class)
        .getHandlerMap()
        .keySet();
  }

  @Test
  void withSpringSecurityItIsThere(CapturedOutput output) {
    application(new WebApplicationContextRunner())
        .withPropertyValues("waybill.api.enabled=true")
        .withBean(SecurityFilterChain.class, ApiMountTest::security)
        .run(
            context ->
                assertThat(addresses(context))
                    .containsExactlyInAnyOrder(
                        "/api/v1/outboxes", "/api/v1/outboxes/**", "/api/v1/openapi.json"));
    assertThat(output).doesNotContain("waybill.api.enabled");
  }

  @Test
  void theConsoleAsksItWithoutAddresses(CapturedOutput output) {
    application(new WebApplicationContextRunner())
        .withPropertyValues(
            "waybill.console.enabled=true",
            "waybill.console.trace-url=https://traces.example/trace/{trace-id}")
        .withBean(SecurityFilterChain.class, ApiMountTest::security)
        .run(
            context -> {
              assertThat(context.getBean(WaybillProperties.class).console().traceUrl())
                  .isEqualTo("https://traces.example/trace/{trace-id}");
              assertThat(context).hasSingleBean(OutboxApi.class);
              assertThat(addresses(context)).isEmpty();
            });
    assertThat(output).doesNotContain("is not there");
  }

  @Test
  void withoutSpringSecurityItIsNotAndAWarningSaysWhy(CapturedOutput output) {
    application(new WebApplicationContextRunner())
        .withPropertyValues("waybill.api.enabled=true")
        .run(context -> assertThat(addresses(context)).isEmpty());
    assertThat(output)
        .containsOnlyOnce("the API is not there, because Spring Security does not protect");
  }

  @Test
  void inAnApplicationOfWebFluxAWarningSaysWhatElse(CapturedOutput output) {
    application(new ReactiveWebApplicationContextRunner())
        .withPropertyValues("waybill.api.enabled=true")
        .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("waybillApiMapping"));
    assertThat(output).containsOnlyOnce("because it needs Spring MVC");
  }

  @Test
  void usersOfAnApplicationAreNotThoseOfAFile(CapturedOutput output) {
    application(new WebApplicationContextRunner())
        .withPropertyValues("waybill.api.enabled=true", "waybill.api.users=users")
        .withBean(SecurityFilterChain.class, ApiMountTest::security)
        .run(context -> assertThat(addresses(context)).hasSize(3));
    assertThat(output).containsOnlyOnce("waybill.api.users has no effect in an application");
  }

  @Test
  void loginsOfAnApplicationAreItsOwn(CapturedOutput output) {
    application(new WebApplicationContextRunner())
        .withPropertyValues(
            "waybill.api.enabled=true",
            "waybill.api.login.idle=1h",
            "waybill.api.login.lifetime=8h",
            "waybill.api.login.outbox=orders")
        .withBean(SecurityFilterChain.class, ApiMountTest::security)
        .run(context -> assertThat(addresses(context)).hasSize(3));
    assertThat(output).containsOnlyOnce("waybill.api.login has no effect in an application");
  }

  @Test
  void withoutAWebServerAWarningSaysWhy(CapturedOutput output) {
    application(new ApplicationContextRunner())
        .withPropertyValues("waybill.api.enabled=true")
        .run(context -> assertThat(context).doesNotHaveBean("waybillApiMapping"));
    assertThat(output).containsOnlyOnce("because this is no web application");
  }

  @Test
  void itIsOffUnlessAskedFor(CapturedOutput output) {
    application(new WebApplicationContextRunner())
        .withBean(SecurityFilterChain.class, ApiMountTest::security)
        .run(context -> assertThat(context).doesNotHaveBean("waybillApiMapping"));
    assertThat(output).doesNotContain("API");
  }
}
