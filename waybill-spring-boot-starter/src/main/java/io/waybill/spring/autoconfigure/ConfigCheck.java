package io.waybill.spring.autoconfigure;

import io.waybill.spring.internal.config.ConfigLoader;
import io.waybill.spring.internal.config.LoadedConfig;
import io.waybill.spring.internal.keys.Problems;
import io.waybill.spring.properties.WaybillProperties;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.NativeDetector;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;

/** Says all that is wrong with Waybill's keys, where Spring Boot would stop at the first. */
final class ConfigCheck implements ConfigurationPropertiesBindHandlerAdvisor {
  private static final Logger LOG = LoggerFactory.getLogger(ConfigCheck.class);
  private static final ConfigLoader<WaybillProperties> LOADER =
      ConfigLoader.of("waybill", WaybillProperties.class)
          .identifiers("outboxes")
          .ownVariables("WAYBILL_CONFIG", "WAYBILL_JAVA_OPTS", "WAYBILL_TOKEN");

  private final ConfigurableEnvironment environment;

  ConfigCheck(ConfigurableEnvironment environment) {
    this.environment = environment;
  }

  /** The keys of an application with what is wrong with them. */
  static LoadedConfig<WaybillProperties> of(ConfigurableEnvironment environment) {
    return LOADER.check(environment);
  }

  /**
   * Refuses a switch that says neither true nor false: no condition of Spring Boot's would match
   * it, so that nothing would bind the keys, and they would not be checked.
   */
  static void requireSwitch(Environment environment) {
    String value = environment.getProperty("waybill.enabled", "true");
    if (!value.equalsIgnoreCase("true") && !value.equalsIgnoreCase("false")) {
      Problems problems = new Problems();
      problems.add("enabled", "must be true or false", value);
      problems.throwIfAny();
    }
  }

  @Override
  public BindHandler apply(BindHandler handler) {
    // A native image keeps of the records what Spring Boot needs to bind them, and no more.
    return NativeDetector.inNativeImage() ? handler : new Checked(handler);
  }

  private final class Checked extends AbstractBindHandler {
    Checked(BindHandler parent) {
      super(parent);
    }

    @Override
    public <T> @Nullable Bindable<T> onStart(
        ConfigurationPropertyName name, Bindable<T> target, BindContext context) {
      if (context.getDepth() == 0 && WaybillProperties.class.equals(target.getType().resolve())) {
        LoadedConfig<WaybillProperties> loaded = of(environment);
        loaded.warnings().forEach(LOG::warn);
        loaded.get();
      }
      return super.onStart(name, target, context);
    }
  }
}
