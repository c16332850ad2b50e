package io.waybill.spring.internal.database;

import io.waybill.spring.internal.keys.Problems;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;
import org.springframework.jdbc.datasource.AbstractDriverBasedDataSource;

/**
 * The room that the application's pool has for handlers.
 *
 * @param most most connections of the pool, null if nobody knows
 * @param others connections of it that the inbox itself, the relay and the application need besides
 */
public record PoolRoom(@Nullable Integer most, int others) {
  private static final Logger LOG = LoggerFactory.getLogger(PoolRoom.class);
  private static final int INBOX = 2;
  private static final int RELAY = 4;
  private static final int APPLICATION = 1;

  /** Nobody knows how large the pool is. */
  public static final PoolRoom UNKNOWN = new PoolRoom(null, 0);

  /** Looks at a data source; where its size can't be told, a warning says what it must be. */
  public static PoolRoom of(
      DataSource source, List<DataSourcePoolMetadataProvider> pools, boolean relay, int workers) {
    boolean beside = RelayConnections.areBeside(source);
    int others = beside ? 0 : INBOX + APPLICATION + (relay ? RELAY : 0);
    Integer most = RelayConnections.most(source, pools);
    if (most == null && !(source instanceof AbstractDriverBasedDataSource)) {
      LOG.warn(
          "The number of connections of {} is unknown. If it is a pool, it must have at least {}"
              + " (waybill.inbox.workers={} and {} more): with fewer, handlers wait for connections"
              + " and run into their time limit.",
          source.getClass().getName(),
          workers + others,
          workers,
          others);
    }
    return new PoolRoom(most, others);
  }

  /** More workers than there is room for are a problem. */
  public void check(Problems problems, int workers) {
    if (most == null || workers <= most - others) {
      return;
    }
    problems.add(
        "inbox.workers",
        others == 0
            ? "must be at most the number of connections of the pool (" + most + ")"
            : "must leave %d of the pool's %d connections to the inbox itself, a relay and the application"
                .formatted(others, most),
        workers);
  }
}
