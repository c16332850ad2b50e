package io.waybill.spring.autoconfigure;

import io.waybill.spring.SpringOutbox;
import io.waybill.spring.internal.keys.ConfiguredOutbox;
import io.waybill.spring.properties.WaybillProperties;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.IgnoreErrorsBindHandler;
import org.springframework.context.EnvironmentAware;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Registers the beans of each outbox. Those of several have the outbox's name as their qualifier.
 */
final class OutboxRegistrar implements ImportBeanDefinitionRegistrar, EnvironmentAware {
  static final String FACTORY = "waybillOutboxFactory";

  private Environment environment = new StandardEnvironment();

  @Override
  public void setEnvironment(Environment environment) {
    this.environment = environment;
  }

  @Override
  public void registerBeanDefinitions(
      AnnotationMetadata importing, BeanDefinitionRegistry registry) {
    boolean relays = flag("waybill.relay.enabled", true);
    boolean overridden = has(registry, SpringOutbox.class);
    WaybillProperties loaded = LoadedProperties.of(registry);
    List<Named> all = loaded == null ? named() : named(loaded);
    long written = all.stream().filter(each -> !each.relayedOnly()).count();
    for (Named outbox : all) {
      boolean primary = written == 1 || outbox.primary();
      register(registry, outbox, OutboxBean.RELAY_SIGNAL, false);
      if (!outbox.relayedOnly()) {
        register(registry, outbox, OutboxBean.DATABASE, primary);
        if (!overridden) {
          register(registry, outbox, OutboxBean.OUTBOX, primary);
        }
      }
      if (relays) {
        register(registry, outbox, OutboxBean.RELAY, false);
      }
    }
  }

  /** As much of an outbox as decides about its beans: whether its keys are right is seen later. */
  private record Named(String name, boolean single, boolean primary, boolean relayedOnly) {}

  private static List<Named> named(WaybillProperties loaded) {
    return ConfiguredOutbox.of(loaded, "").stream()
        .map(
            each ->
                new Named(
                    each.name(), each.single(), each.properties().primary(), each.relayedOnly()))
        .toList();
  }

  private List<Named> named() {
    Map<String, Object> outboxes =
        bind("waybill.outboxes", Bindable.mapOf(String.class, Object.class), Map.of());
    if (outboxes.isEmpty()) {
      String name = bind("waybill.outbox.name", Bindable.of(String.class), "outbox");
      return List.of(new Named(name, true, true, false));
    }
    return new TreeMap<>(outboxes)
        .entrySet().stream()
            .map(
                each ->
                    new Named(
                        each.getKey(),
                        false,
                        "true".equals(String.valueOf(part(each.getValue(), "primary"))),
                        part(part(each.getValue(), "database"), "url") != null))
            .toList();
  }

  private static @Nullable Object part(@Nullable Object keys, String key) {
    return keys instanceof Map<?, ?> map ? map.get(key) : null;
  }

  private boolean flag(String key, boolean usual) {
    return bind(key, Bindable.of(Boolean.class), usual);
  }

  private <T> T bind(String key, Bindable<T> type, T usual) {
    return Binder.get(environment).bind(key, type, new IgnoreErrorsBindHandler()).orElse(usual);
  }

  private static boolean has(BeanDefinitionRegistry registry, Class<?> type) {
    return registry instanceof ListableBeanFactory beans
        && beans.getBeanNamesForType(type, true, false).length > 0;
  }

  private static void register(
      BeanDefinitionRegistry registry, Named outbox, OutboxBean bean, boolean primary) {
    RootBeanDefinition definition = new RootBeanDefinition(bean.type());
    definition.setFactoryBeanName(FACTORY);
    definition.setFactoryMethodName(bean.method());
    definition.getConstructorArgumentValues().addIndexedArgumentValue(0, outbox.name());
    definition.setRole(
        bean == OutboxBean.OUTBOX
            ? BeanDefinition.ROLE_APPLICATION
            : BeanDefinition.ROLE_INFRASTRUCTURE);
    definition.setPrimary(primary && !outbox.single());
    if (!outbox.single()) {
      definition.addQualifier(new AutowireCandidateQualifier(Qualifier.class, outbox.name()));
    }
    registry.registerBeanDefinition(bean.of(outbox.name(), outbox.single()), definition);
  }
}
