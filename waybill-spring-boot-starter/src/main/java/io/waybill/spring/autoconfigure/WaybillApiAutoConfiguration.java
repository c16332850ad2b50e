package io.waybill.spring.autoconfigure;

import io.waybill.spring.internal.api.ApiRequestHandler;
import io.waybill.spring.internal.api.OutboxApi;
import io.waybill.spring.internal.keys.Outboxes;
import io.waybill.spring.properties.WaybillProperties;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnNotWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.servlet.handler.SimpleUrlHandlerMapping;

/** The API for operators, and what the console asks; Spring Security decides who may do what. */
@AutoConfiguration(after = WaybillAutoConfiguration.class)
@ConditionalOnBean(Outboxes.class)
@Conditional(WaybillApiAutoConfiguration.Asked.class)
public class WaybillApiAutoConfiguration {
  private static final Logger LOG = LoggerFactory.getLogger(WaybillApiAutoConfiguration.class);
  private static final int ORDER = 100;
  private static final String API = "waybill.api.enabled";
  private static final String CHAIN = "org.springframework.security.web.SecurityFilterChain";

  /** For Spring. */
  public WaybillApiAutoConfiguration() {}

  /** By the API's own key, or by that of the console, which stands on it. */
  static final class Asked extends AnyNestedCondition {
    Asked() {
      super(ConfigurationPhase.REGISTER_BEAN);
    }

    @ConditionalOnBooleanProperty(API)
    static class Api {}

    @ConditionalOnBooleanProperty("waybill.console.enabled")
    static class Console {}
  }

  /** With Spring MVC. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
  @ConditionalOnClass({HttpRequestHandler.class, SimpleUrlHandlerMapping.class})
  static class Mvc {
    @Bean
    OutboxApi waybillOutboxApi(OutboxFactory outboxes, WaybillProperties properties) {
      return new OutboxApi(
          outboxes.admins(),
          outboxes::broker,
          outboxes::destinations,
          outboxes::checks,
          properties.relay().enabled());
    }

    /** Before the web server waits for requests that are under way. */
    @Bean
    ApplicationListener<ContextClosedEvent> waybillApiStreams(OutboxApi api) {
      return event -> api.endStreams();
    }

    @Bean
    SimpleUrlHandlerMapping waybillApiMapping(
        OutboxApi api,
        WaybillProperties properties,
        DefaultListableBeanFactory beans,
        Environment environment) {
      boolean application = LoadedProperties.of(beans) == null;
      if (properties.api().users() != null && application) {
        LOG.warn(
            "waybill.api.users has no effect in an application: its Spring Security knows the users");
      }
      if (application
          && Binder.get(environment)
              .bind("waybill.api.login", Bindable.mapOf(String.class, Object.class))
              .isBound()) {
        LOG.warn(
            "waybill.api.login has no effect in an application: its Spring Security logs users in");
      }
      SimpleUrlHandlerMapping mapping = new SimpleUrlHandlerMapping();
      // Behind the application's own, and before that of resources, which takes every address.
      mapping.setOrder(ORDER);
      boolean secured = isSecured(beans);
      if (secured) {
        api.start();
      }
      if (secured && properties.api().enabled()) {
        ApiRequestHandler handler = new ApiRequestHandler(api);
        mapping.setUrlMap(
            ApiRequestHandler.ADDRESSES.stream()
                .collect(Collectors.toMap(Function.identity(), address -> handler)));
      } else if (properties.api().enabled()) {
        LOG.warn(
            "waybill.api.enabled: the API is not there, because Spring Security does not protect this"
                + " application; add it, and give users a role like WAYBILL_VIEWER");
      }
      return mapping;
    }

    private static boolean isSecured(DefaultListableBeanFactory beans) {
      ClassLoader loader = WaybillApiAutoConfiguration.class.getClassLoader();
      return ClassUtils.isPresent(CHAIN, loader)
          && beans.getBeanNamesForType(ClassUtils.resolveClassName(CHAIN, loader)).length > 0;
    }
  }

  /** Without a web server. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnNotWebApplication
  static class NoWeb {
    NoWeb() {
      LOG.warn(
          "waybill.api.enabled, waybill.console.enabled: nothing is there, because this is no web application; a"
              + " standalone relay can serve it");
    }
  }

  /** With WebFlux. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
  static class Reactive {
    Reactive() {
      LOG.warn(
          "waybill.api.enabled, waybill.console.enabled: nothing is there, because it needs Spring MVC, and this is an"
              + " application of WebFlux; a standalone relay can serve it");
    }
  }
}
