package io.waybill.spring.cloudstream;

import io.waybill.proof.server.KafkaServer;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * A Kafka with a topic {@code orders}, and an application that sends through its binder. The
 * address is the property {@code test.servers}.
 */
record KafkaApplication(KafkaServer server, ConfigurableApplicationContext context)
    implements AutoCloseable {

  /** With more beans, of a configuration class. */
  static KafkaApplication start(Class<?> more, Stream<String> properties) {
    KafkaServer server = KafkaServer.launch();
    server.createTopic("orders", 1, Map.of());
    Stream<String> address = Stream.of("test.servers=" + server.bootstrapServers());
    return new KafkaApplication(
        server,
        BinderApplication.run(
            more, "kafka", Stream.concat(address, properties).toArray(String[]::new)));
  }

  /** For its publisher alone, without a database. */
  static KafkaApplication publisher(Class<?> more, String... properties) {
    return start(
        more,
        Stream.of(
                BinderApplication.PUBLISHER_ALONE.stream(),
                Stream.of("spring.kafka.bootstrap-servers=${test.servers}"),
                Stream.of(properties))
            .flatMap(each -> each));
  }

  @Override
  public void close() {
    context.close();
    server.close();
  }
}
