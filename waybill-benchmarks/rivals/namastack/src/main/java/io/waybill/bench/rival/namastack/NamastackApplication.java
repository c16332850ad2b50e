package io.waybill.bench.rival.namastack;

import io.waybill.bench.rival.Deliveries;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.scheduling.annotation.EnableScheduling;

/** An application with namastack-outbox. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableScheduling
class NamastackApplication {
  @Bean
  SendToKafka handler(
      KafkaTemplate<String, String> kafka,
      @Value("${relay.topic}") String topic,
      Deliveries deliveries) {
    return new SendToKafka(kafka, topic, deliveries);
  }
}
