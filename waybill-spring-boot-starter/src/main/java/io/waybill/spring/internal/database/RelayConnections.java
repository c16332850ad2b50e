package io.waybill.spring.internal.database;

import io.waybill.database.ConnectionFactory;
import io.waybill.spring.WaybillStartException;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadata;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;
import org.springframework.util.ClassUtils;

/**
 * Connections of the relay: beside the pool where the pool says how to make them, so that a pool of
 * any size is the application's alone.
 */
public final class RelayConnections {
  /** Four for the relay, one for checks and operators, one for the application. */
  private static final int LEAST = 6;

  private static final boolean HIKARI =
      ClassUtils.isPresent(
          "com.zaxxer.hikari.HikariDataSource", RelayConnections.class.getClassLoader());

  private RelayConnections() {}

  /** Connections beside the pool, else of the pool; a pool that is too small is refused. */
  public static ConnectionFactory of(
      DataSource source, List<DataSourcePoolMetadataProvider> pools) {
    ConnectionFactory beside = HIKARI ? HikariConnections.beside(source) : null;
    if (beside != null) {
      return beside;
    }
    Integer most = most(source, pools);
    if (most != null && most < LEAST) {
      throw new WaybillStartException(
          "The relay would take 4 connections of the pool for itself, which must have at least "
              + LEAST
              + ", but has "
              + most,
          "Enlarge the pool, use Hikari with a JDBC URL (the relay then has connections outside the"
              + " pool), or set waybill.relay.enabled=false and run a standalone relay.",
          null);
    }
    return ConnectionFactory.of(source);
  }

  /** Whether what needs no handler has connections beside the pool. */
  static boolean areBeside(DataSource source) {
    return HIKARI && HikariConnections.beside(source) != null;
  }

  /** Most connections of a pool, null if nobody knows. */
  static @Nullable Integer most(DataSource source, List<DataSourcePoolMetadataProvider> pools) {
    for (DataSourcePoolMetadataProvider pool : pools) {
      DataSourcePoolMetadata metadata = pool.getDataSourcePoolMetadata(source);
      if (metadata != null && metadata.getMax() != null) {
        return metadata.getMax();
      }
    }
    return null;
  }
}
