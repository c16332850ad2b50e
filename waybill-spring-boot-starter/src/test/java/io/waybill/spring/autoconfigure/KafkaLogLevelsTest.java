package io.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Configuration;

/** Kafka's clients leave the log to the application, unless it wants to hear them. */
class KafkaLogLevelsTest {
  private static final Logger DUMPS =
      LoggerFactory.getLogger("org.apache.kafka.clients.producer.ProducerConfig");
  private static final Logger ATTEMPTS =
      LoggerFactory.getLogger("org.apache.kafka.clients.NetworkClient");

  @Configuration(proxyBeanMethods = false)
  static class Nothing {}

  @BeforeEach
  @AfterEach
  void forget() {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    for (String name : new String[] {"org.apache.kafka", ATTEMPTS.getName()}) {
      context.getLogger(name).setLevel(null);
    }
  }

  private static void start(String... properties) {
    new SpringApplicationBuilder(Nothing.class)
        .web(WebApplicationType.NONE)
        .bannerMode(Banner.Mode.OFF)
        .properties("spring.main.log-startup-info=false")
        .properties(properties)
        .run()
        .close();
  }

  @Test
  void clientsWriteNoConfigurationAndNoAttemptToConnect() {
    start();
    assertThat(DUMPS.isInfoEnabled()).isFalse();
    assertThat(DUMPS.isWarnEnabled()).isTrue();
    assertThat(ATTEMPTS.isWarnEnabled()).isFalse();
    assertThat(ATTEMPTS.isErrorEnabled()).isTrue();
  }

  @Test
  void whatAnApplicationSetsHolds() {
    start("logging.level.org.apache.kafka=info");
    assertThat(DUMPS.isInfoEnabled()).isTrue();
    assertThat(ATTEMPTS.isInfoEnabled()).isTrue();
  }

  @Test
  void aLevelOfOneLoggerLeavesTheOthersQuiet() {
    start("logging.level.org.apache.kafka.clients.NetworkClient=debug");
    assertThat(DUMPS.isInfoEnabled()).isFalse();
    assertThat(ATTEMPTS.isDebugEnabled()).isTrue();
  }
}
