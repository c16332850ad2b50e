package io.waybill.server.assemble;

import io.waybill.rabbitmq.RabbitCredentials;
import io.waybill.rabbitmq.RabbitPublisherConfig;
import io.waybill.rabbitmq.RabbitTls;
import io.waybill.server.config.RabbitConfig;
import io.waybill.server.config.Secret;
import io.waybill.server.config.TlsConfig;
import java.util.Map;

/** RabbitMQ's side of an outbox. */
final class RabbitSide {
  private RabbitSide() {}

  static RabbitPublisherConfig config(RabbitConfig config, String relay) {
    TlsConfig tls = config.tls();
    Secret password = config.password();
    return RabbitPublisherConfig.builder()
        .addresses(config.addresses())
        .virtualHost(config.virtualHost())
        .credentials(
            new RabbitCredentials.Password(
                config.user(), password == null ? "guest" : password.reveal()))
        .tls(tls == null ? null : tls(tls))
        .connections(config.connections())
        .window(config.window())
        .confirmTimeout(config.confirmTimeout())
        .connectTimeout(config.connectTimeout())
        .heartbeat(config.heartbeat())
        .maxMessageBytes(config.maxMessageBytes())
        .clientProperties(Map.of("connection_name", "waybill-" + relay))
        .build();
  }

  private static RabbitTls tls(TlsConfig tls) {
    Secret password = tls.keyStorePassword();
    return new RabbitTls(
        tls.caFile(), null, tls.keyStore(), password == null ? null : password.reveal(), true);
  }
}
