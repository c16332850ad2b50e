package io.waybill.spring.internal.broker;

import io.waybill.spring.internal.keys.BrokerContext;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** What Waybill takes of {@code spring.kafka}; the names are Spring Boot's. */
public record SpringKafka(
    @Nullable List<String> bootstrapServers,
    @DefaultValue Map<String, String> properties,
    @DefaultValue Security security,
    @DefaultValue Ssl ssl,
    @DefaultValue Producer producer,
    @DefaultValue Consumer consumer) {
  static final String PREFIX = "spring.kafka";
  private static final String SERVERS = ".bootstrap-servers";

  /**
   * Whether it says where Kafka is.
   *
   * @param client who wants to know: producer or consumer
   */
  static boolean hasAddress(BrokerContext context, String client) {
    return context.hasAny(List.of(PREFIX + SERVERS, PREFIX + "." + client + SERVERS));
  }

  /** What producer and consumer have alike. */
  interface Client {
    @Nullable List<String> bootstrapServers();

    Map<String, String> properties();

    Security security();

    Ssl ssl();
  }

  record Producer(
      @Nullable List<String> bootstrapServers,
      @Nullable String batchSize,
      @Nullable String bufferMemory,
      @Nullable String compressionType,
      @DefaultValue Map<String, String> properties,
      @DefaultValue Security security,
      @DefaultValue Ssl ssl)
      implements Client {}

  record Consumer(
      @Nullable List<String> bootstrapServers,
      @Nullable String autoOffsetReset,
      @DefaultValue Map<String, String> properties,
      @DefaultValue Security security,
      @DefaultValue Ssl ssl)
      implements Client {}

  record Security(@Nullable String protocol) {}

  record Ssl(
      @Nullable String bundle,
      @Nullable String keyPassword,
      @Nullable String keyStoreLocation,
      @Nullable String keyStorePassword,
      @Nullable String keyStoreType,
      @Nullable String trustStoreLocation,
      @Nullable String trustStorePassword,
      @Nullable String trustStoreType,
      @Nullable String protocol) {}
}
