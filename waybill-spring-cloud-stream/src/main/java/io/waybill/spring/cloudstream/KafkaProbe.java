package io.waybill.spring.cloudstream;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.jspecify.annotations.Nullable;

/** Asks with a client like that with which the binder makes topics, so with its customizers. */
final class KafkaProbe implements BinderKind.Probe {
  private static final long ANSWER_SECONDS = 2;

  private final Map<String, Object> config;
  private @Nullable Admin admin;

  KafkaProbe(Map<String, Object> config) {
    this.config = config;
  }

  @Override
  public void ask() throws Exception {
    Admin asked = admin;
    if (asked == null) {
      asked = Admin.create(config);
      admin = asked;
    }
    asked.describeCluster().nodes().get(ANSWER_SECONDS, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    Admin asked = admin;
    if (asked != null) {
      asked.close(Duration.ZERO);
    }
  }
}
