package io.waybill.internal.jdbc.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.admin.EventFilter;
import io.waybill.admin.EventStatus;
import io.waybill.internal.jdbc.table.TableIndexes;
import io.waybill.internal.jdbc.table.TableIndexes.Index;
import io.waybill.layout.Layout;
import io.waybill.layout.Layouts;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SearchedRowsTest {
  private static final EventFilter TYPE = new EventFilter(List.of(), null, "placed", null, null);
  private static final EventFilter KEY = new EventFilter(List.of(), null, null, "order", "1");
  private static final EventFilter ID = new EventFilter(List.of(), null, null, null, "1");

  private static Optional<String> rows(Layout layout, EventFilter filter, Index... indexes) {
    return new SearchedRows(layout, new TableIndexes(List.of(indexes))).of(filter);
  }

  private static Index index(String... columns) {
    return partial(null, columns);
  }

  private static Index partial(@Nullable String filter, String... columns) {
    return new Index(false, List.of(columns), filter);
  }

  @Test
  void theRowsOfATableWithoutAnOrderColumnAreInTheOrderOfItsKey() {
    assertThat(rows(Layouts.WAYBILL, TYPE)).hasValue("true");
    assertThat(rows(Layouts.WALLET, TYPE)).hasValue("true");
    assertThat(rows(Layouts.WALLET, EventFilter.status(EventStatus.PUBLISHED))).hasValue("true");
  }

  /** Each part of a table without such an index would cost a sort of all of it. */
  @Test
  void theRowsOfAnotherTableNeedAnIndexInTheirOrder() {
    assertThat(rows(Layouts.POLYSHOP, TYPE)).isEmpty();
    assertThat(rows(Layouts.POLYSHOP, TYPE, index("created_at", "id"))).hasValue("true");
    assertThat(rows(Layouts.POLYSHOP, TYPE, partial("processed = false", "created_at", "id")))
        .isEmpty();
    assertThat(rows(Layouts.POLYSHOP, TYPE, index("processed", "created_at"))).isEmpty();
  }

  @Test
  void rowsOfAStateAreLookedAtAloneWhereAnIndexHasThem() {
    EventFilter done = EventFilter.status(EventStatus.PUBLISHED);
    assertThat(rows(Layouts.NOTIFICATION, EventFilter.status(EventStatus.PENDING)))
        .hasValue("${pending}");
    assertThat(rows(Layouts.NOTIFICATION, done)).isEmpty();
    assertThat(rows(Layouts.NOTIFICATION, done, index("status", "created_at")))
        .hasValue("${published}");
    assertThat(rows(Layouts.WAYBILL_KEEP, done, index("published", "id", "lane")))
        .hasValue("${published}");
  }

  @Test
  void anIndexLeadsToAKey() {
    Index key = index("aggregate_type", "aggregate_id", "id");
    assertThat(rows(Layouts.WAYBILL, KEY)).hasValue("true");
    assertThat(rows(Layouts.WAYBILL, KEY, key)).isEmpty();
    assertThat(rows(Layouts.WAYBILL, ID, key)).as("half a key").hasValue("true");
    assertThat(rows(Layouts.WAYBILL, ID, index("aggregate_id"))).isEmpty();
    assertThat(rows(Layouts.WALLET, ID, index("correlation_id"))).isEmpty();
    assertThat(rows(Layouts.WALLET, ID, partial("sent = false", "correlation_id")))
        .hasValue("true");
  }
}
