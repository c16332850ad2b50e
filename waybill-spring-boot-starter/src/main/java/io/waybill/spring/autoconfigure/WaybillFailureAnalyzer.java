package io.waybill.spring.autoconfigure;

import io.waybill.spring.WaybillStartException;
import io.waybill.spring.internal.config.ConfigException;
import io.waybill.spring.internal.config.LoadedConfig;
import io.waybill.spring.properties.WaybillProperties;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;

/**
 * One readable report in place of a stack trace. Comes before Spring Boot's own, which would show
 * the first bad key only.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class WaybillFailureAnalyzer extends AbstractFailureAnalyzer<WaybillStartException> {
  private final Environment environment;

  WaybillFailureAnalyzer(Environment environment) {
    this.environment = environment;
  }

  @Override
  protected @Nullable FailureAnalysis analyze(Throwable root, WaybillStartException cause) {
    WaybillStartException shown =
        cause instanceof ConfigException refused ? located(refused) : cause;
    return new FailureAnalysis(shown.getMessage(), shown.action(), cause);
  }

  /** The same problems with the places where their values come from. */
  private ConfigException located(ConfigException refused) {
    boolean bare = refused.problems().stream().allMatch(each -> each.origin().isEmpty());
    if (!bare || !(environment instanceof ConfigurableEnvironment known)) {
      return refused;
    }
    LoadedConfig<WaybillProperties> loaded = ConfigCheck.of(known);
    refused.problems().forEach(each -> loaded.problem(each.key(), each.rule(), each.value()));
    return loaded.refused();
  }
}
