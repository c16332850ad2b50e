package io.waybill.spring.autoconfigure;

import io.waybill.spring.actuate.WaybillEndpoint;
import io.waybill.spring.actuate.WaybillHealthIndicator;
import io.waybill.spring.actuate.WaybillInfoContributor;
import io.waybill.spring.internal.keys.Outboxes;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Waybill in the actuator: health, information, and the operator's verbs. */
@AutoConfiguration(after = {WaybillAutoConfiguration.class, WaybillInboxAutoConfiguration.class})
@ConditionalOnBean(Outboxes.class)
public class WaybillActuatorAutoConfiguration {

  /** For Spring. */
  public WaybillActuatorAutoConfiguration() {}

  /** Health of the relay. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
  @ConditionalOnBean(RelayLifecycle.class)
  static class Health {
    @Bean
    @ConditionalOnMissingBean(name = "waybillHealthIndicator")
    @ConditionalOnEnabledHealthIndicator("waybill")
    HealthContributor waybillHealthIndicator(Outboxes outboxes, List<RelayLifecycle> relays) {
      Map<String, HealthIndicator> indicators = new TreeMap<>();
      relays.forEach(
          relay ->
              indicators.put(
                  relay.outbox(),
                  new WaybillHealthIndicator("relay", relay.name(), relay::unready)));
      return outboxes.all().get(0).single()
          ? indicators.values().iterator().next()
          : CompositeHealthContributor.fromMap(indicators);
    }
  }

  /** Health of the inbox. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
  @ConditionalOnBean(InboxLifecycle.class)
  static class InboxHealth {
    @Bean
    @ConditionalOnMissingBean(name = "waybillInboxHealthIndicator")
    @ConditionalOnEnabledHealthIndicator("waybill-inbox")
    WaybillHealthIndicator waybillInboxHealthIndicator(InboxLifecycle inbox) {
      return new WaybillHealthIndicator("consumer", inbox.name(), inbox::unready);
    }
  }

  /** Information and verbs. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
  static class Endpoints {
    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnAvailableEndpoint(WaybillEndpoint.class)
    WaybillEndpoint waybillEndpoint(OutboxFactory outboxes) {
      return new WaybillEndpoint(outboxes.admins());
    }

    @Bean
    @ConditionalOnMissingBean(WaybillInfoContributor.class)
    InfoContributor waybillInfoContributor(
        Outboxes outboxes, ObjectProvider<RelayLifecycle> relays) {
      Map<String, String> names = new TreeMap<>();
      outboxes.all().forEach(outbox -> names.put(outbox.name(), "none in this process"));
      relays.forEach(relay -> names.put(relay.outbox(), relay.name()));
      return new WaybillInfoContributor(names);
    }
  }
}
