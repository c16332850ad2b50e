package io.waybill.spring.modulith;

import io.waybill.spring.DomainEvents;
import io.waybill.spring.SpringOutbox;
import io.waybill.spring.autoconfigure.WaybillAutoConfiguration;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.ExternalizationMode;

/** Makes Waybill the outbox of Spring Modulith when its externalisation mode is outbox. */
@AutoConfiguration(
    after = WaybillAutoConfiguration.class,
    afterName = "org.springframework.modulith.events.config.EventExternalizationAutoConfiguration")
@ConditionalOnProperty(name = ExternalizationMode.PROPERTY, havingValue = "outbox")
@ConditionalOnBooleanProperty(
    name = "spring.modulith.events.externalization.enabled",
    matchIfMissing = true)
@ConditionalOnBooleanProperty(name = "waybill.enabled", matchIfMissing = true)
public class WaybillModulithAutoConfiguration {

  /** For Spring. */
  public WaybillModulithAutoConfiguration() {}

  /** What Modulith's own configuration makes, where that is on the class path. */
  @Bean
  @ConditionalOnMissingBean
  EventExternalizationConfiguration waybillExternalization(BeanFactory beans) {
    return EventExternalizationConfiguration.defaults(AutoConfigurationPackages.get(beans)).build();
  }

  @Bean
  ExternalizedEvents waybillExternalizedEvents(
      EventExternalizationConfiguration configuration,
      SpringOutbox outbox,
      DomainEvents payloads,
      BeanFactory beans) {
    return new ExternalizedEvents(configuration, new Expressions(beans), outbox, payloads);
  }
}
