package io.waybill.internal.jdbc.operator;

import io.waybill.admin.EventFilter;
import io.waybill.admin.EventStatus;
import io.waybill.internal.jdbc.table.TableIndexes;
import io.waybill.layout.KeyColumns;
import io.waybill.layout.Layout;
import io.waybill.layout.OrderColumn;
import io.waybill.layout.StateColumn;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which rows of the outbox a search looks at, one after the other. Immutable.
 *
 * @param layout the table's layout
 * @param indexes its indexes
 */
record SearchedRows(Layout layout, TableIndexes indexes) {
  /**
   * The condition that these rows meet.
   *
   * @return an SQL condition; empty if an index leads to the key, or none has the rows in their
   *     order, so that the database finds the events best by itself
   */
  Optional<String> of(EventFilter filter) {
    if (leadsToKey(filter)) {
      return Optional.empty();
    }
    if (filter.status() == EventStatus.PENDING) {
      // The relay reads by the same index.
      return Optional.of("${pending}");
    }
    OrderColumn column = layout.order().column();
    String order = column == null ? layout.identity().rowId() : column.column();
    String state = state();
    if (filter.status() == EventStatus.PUBLISHED && state != null && indexes.order(state, order)) {
      return Optional.of("${published}");
    }
    return column == null || indexes.order(order) ? Optional.of("true") : Optional.empty();
  }

  private boolean leadsToKey(EventFilter filter) {
    if (filter.aggregateId() == null) {
      return false;
    }
    if (layout.order().key() instanceof KeyColumns.TypeAndId key) {
      return indexes.order(key.id())
          || (filter.aggregateType() != null && indexes.order(key.type(), key.id()));
    }
    return layout.order().key() instanceof KeyColumns.Single key && indexes.order(key.id());
  }

  private @Nullable String state() {
    if (layout.progress().state() instanceof StateColumn.Word word) {
      return word.column();
    }
    return layout.progress().state() instanceof StateColumn.Flag flag ? flag.column() : null;
  }
}
