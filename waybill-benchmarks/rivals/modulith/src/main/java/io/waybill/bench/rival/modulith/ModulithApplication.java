package io.waybill.bench.rival.modulith;

import io.waybill.bench.rival.Deliveries;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.support.ProducerListener;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.RoutingTarget;

/** An application with Spring Modulith's event publication registry. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class ModulithApplication {
  /** Reference, "Externalizing Events", "Programmatic Event Externalization Configuration". */
  @Bean
  EventExternalizationConfiguration externalization(@Value("${relay.topic}") String topic) {
    return EventExternalizationConfiguration.externalizing()
        .select(OrderPlaced.class::isInstance)
        .mapping(OrderPlaced.class, OrderPlaced::body)
        .route(OrderPlaced.class, event -> RoutingTarget.forTarget(topic).andKey(event.key()))
        .build();
  }

  @Bean
  ProducerListener<Object, Object> confirmations(Deliveries deliveries) {
    return new ProducerListener<>() {
      @Override
      public void onSuccess(ProducerRecord<Object, Object> sent, RecordMetadata metadata) {
        deliveries.confirmed(String.valueOf(sent.value()));
      }
    };
  }
}
