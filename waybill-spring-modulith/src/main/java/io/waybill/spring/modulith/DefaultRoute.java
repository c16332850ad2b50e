package io.waybill.spring.modulith;

import java.util.Map;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.modulith.events.ExternalizationMode;

/** Routes events to Modulith's target, unless the application has its own default route. */
public final class DefaultRoute implements EnvironmentPostProcessor {
  private static final String KEY = "waybill.routes.default.target";

  /** For Spring. */
  public DefaultRoute() {}

  @Override
  public void postProcessEnvironment(
      ConfigurableEnvironment environment, SpringApplication application) {
    if ("outbox".equalsIgnoreCase(environment.getProperty(ExternalizationMode.PROPERTY))
        && environment.getProperty(KEY) == null) {
      Map<String, Object> route = Map.of(KEY, "{header." + ExternalizedEvents.TARGET + "}");
      environment.getPropertySources().addLast(new MapPropertySource("waybill-modulith", route));
    }
  }
}
