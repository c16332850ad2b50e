package io.waybill.spring.internal.database;

import io.waybill.spring.WaybillStartException;
import java.util.Arrays;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;

/** The data source of the outbox. */
public final class DataSources {
  private DataSources() {}

  /**
   * The one that is named, or the only one.
   *
   * @param key the key that names it
   */
  public static DataSource of(ListableBeanFactory beans, @Nullable String name, String key) {
    String known = Arrays.toString(beans.getBeanNamesForType(DataSource.class));
    if (name != null) {
      if (!beans.containsBean(name) || !beans.isTypeMatch(name, DataSource.class)) {
        throw new WaybillStartException(
            key + " names no data source, is " + name + "; there are " + known,
            "Set " + key + " to the name of a data source bean.",
            null);
      }
      return beans.getBean(name, DataSource.class);
    }
    DataSource single = beans.getBeanProvider(DataSource.class).getIfUnique();
    if (single == null) {
      throw new WaybillStartException(
          "Waybill needs one data source for the outbox; there are " + known,
          "Set "
              + key
              + " to the name of the one whose transactions write events,"
              + " or mark it @Primary.",
          null);
    }
    return single;
  }
}
