package io.waybill.spring.autoconfigure;

import io.micrometer.core.instrument.MeterRegistry;
import io.waybill.micrometer.MicrometerInboxListener;
import io.waybill.micrometer.MicrometerRelayListener;
import io.waybill.micrometer.WaybillBuildMetrics;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/** Meters of relay and inbox, in the application's registry. */
@AutoConfiguration(
    before = WaybillAutoConfiguration.class,
    afterName = {
      "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
      "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
    })
@ConditionalOnClass({MeterRegistry.class, MicrometerRelayListener.class})
@ConditionalOnBean(MeterRegistry.class)
@ConditionalOnBooleanProperty(name = "waybill.enabled", matchIfMissing = true)
public class WaybillMetricsAutoConfiguration {

  /** For Spring. */
  public WaybillMetricsAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  WaybillBuildMetrics waybillBuildMetrics() {
    return new WaybillBuildMetrics();
  }

  @Bean
  @ConditionalOnMissingBean(MicrometerRelayListener.class)
  RelayMeters waybillMeters(MeterRegistry registry) {
    return outbox -> new MicrometerRelayListener(registry, outbox);
  }

  @Bean
  @ConditionalOnMissingBean
  @Conditional(OnInbox.class)
  MicrometerInboxListener waybillInboxMeters(MeterRegistry registry, ConsumerName consumer) {
    return new MicrometerInboxListener(registry, consumer.value());
  }
}
