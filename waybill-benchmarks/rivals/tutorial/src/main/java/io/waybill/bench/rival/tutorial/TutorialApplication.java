package io.waybill.bench.rival.tutorial;

import io.waybill.bench.rival.Deliveries;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.scheduling.annotation.EnableScheduling;

/** The tutorials' application. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableScheduling
class TutorialApplication {
  @Bean
  OutboxPoller poller(
      JdbcTemplate jdbc,
      KafkaTemplate<String, String> kafka,
      @Value("${relay.topic}") String topic,
      Deliveries deliveries) {
    return new OutboxPoller(jdbc, kafka, topic, deliveries);
  }
}
