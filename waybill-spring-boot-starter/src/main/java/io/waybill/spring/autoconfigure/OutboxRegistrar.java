package io.waybill.spring.autoconfigure;

import io.waybill.spring.SpringOutbox;
import java.util.List;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.bind.Binder;
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
    WaybillProperties properties =
        Binder.get(environment).bindOrCreate("waybill", WaybillProperties.class);
    List<ConfiguredOutbox> all = ConfiguredOutbox.of(properties, "");
    boolean overridden = has(registry, SpringOutbox.class);
    long written = all.stream().filter(each -> !each.relayedOnly()).count();
    for (ConfiguredOutbox outbox : all) {
      boolean primary = written == 1 || outbox.properties().primary();
      register(registry, outbox, OutboxBean.WAKE_UP, false);
      if (!outbox.relayedOnly()) {
        register(registry, outbox, OutboxBean.DATABASE, primary);
        if (!overridden) {
          register(registry, outbox, OutboxBean.OUTBOX, primary);
        }
      }
      if (properties.relay().enabled()) {
        register(registry, outbox, OutboxBean.RELAY, false);
      }
    }
  }

  private static boolean has(BeanDefinitionRegistry registry, Class<?> type) {
    return registry instanceof ListableBeanFactory beans
        && beans.getBeanNamesForType(type, true, false).length > 0;
  }

  private static void register(
      BeanDefinitionRegistry registry, ConfiguredOutbox outbox, OutboxBean bean, boolean primary) {
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
    registry.registerBeanDefinition(bean.of(outbox), definition);
  }
}
