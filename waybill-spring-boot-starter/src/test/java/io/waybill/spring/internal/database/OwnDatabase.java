package io.waybill.spring.internal.database;

import io.waybill.spring.internal.keys.ConfiguredOutbox;
import io.waybill.spring.properties.WaybillProperties;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.ssl.SslBundle;

/** Connections of an outbox that is only relayed, as its keys say. */
final class OwnDatabase {
  private OwnDatabase() {}

  /**
   * Opens one.
   *
   * @param bundle its SSL bundle, or null
   * @param keys names below {@code database} and values, one after the other
   */
  static Connection open(@Nullable Supplier<SslBundle> bundle, String url, String... keys)
      throws SQLException {
    Map<String, Object> all = new TreeMap<>(Map.of("waybill.outboxes.o.database.url", url));
    for (int i = 0; i < keys.length; i += 2) {
      all.put("waybill.outboxes.o.database." + keys[i], keys[i + 1]);
    }
    WaybillProperties bound =
        new Binder(new MapConfigurationPropertySource(all))
            .bind("waybill", WaybillProperties.class)
            .get();
    ConfiguredOutbox outbox = ConfiguredOutbox.of(bound, "shop-1").get(0);
    return OwnConnections.of(outbox, outbox.properties().database()::password, bundle).open();
  }
}
