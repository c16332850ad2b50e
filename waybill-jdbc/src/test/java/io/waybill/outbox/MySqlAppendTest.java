package io.waybill.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.database.AppendDialect.Duplicate;
import io.waybill.message.Event;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Duplicates are told by code and key, from the messages that servers and drivers give. */
class MySqlAppendTest {
  private static final String KEY = "waybill_outbox_event_id_key";
  private static final String LONG = "x".repeat(63);

  private static @Nullable Duplicate told(int code, String message, String... ids) {
    List<Event> events =
        Stream.of(ids).map(id -> Event.builder("t", "a", "1").id(id).json("1").build()).toList();
    SQLException failure = new SQLException(message, "23000", code);
    return MySqlAppend.inSchema("shop").duplicate(failure, events);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Duplicate entry 'e-2' for key 'waybill_outbox.waybill_outbox_event_id_key'",
        "(conn=7) Duplicate entry 'e-2' for key 'waybill_outbox_event_id_key'",
        "Zdvojený klíč 'e-2' (číslo klíče 'waybill_outbox_event_id_key')",
        "Duplicata du champ 'e-2' pour la clef 'waybill_outbox_event_id_key'",
        "Duplikalt bejegyzes 'e-2' a 'waybill_outbox_event_id_key' kulcs szerint",
        "'e-2' は索引 'waybill_outbox_event_id_key' で重複しています。",
        "重复条目'e-2'键'waybill_outbox_event_id_key'",
      })
  void aDuplicateIsToldInAnyLanguage(String message) {
    assertThat(told(1062, message, "e-1", "e-2")).isEqualTo(new Duplicate("e-2"));
    assertThat(told(1062, message, "e-1", "e-3")).isEqualTo(new Duplicate(null));
  }

  @Test
  void aLongIdIsToldFromItsStartIfNoOtherHasTheSame() {
    String cut = "Duplicate entry '" + LONG + "a' for key '" + KEY + "'";
    assertThat(told(1062, cut, LONG + "ab", LONG + "bb")).isEqualTo(new Duplicate(LONG + "ab"));
    assertThat(told(1062, cut, LONG + "ab", LONG + "ac")).isEqualTo(new Duplicate(null));
    String dots = "Duplicate entry '" + LONG.substring(2) + "...' for key '" + KEY + "'";
    assertThat(told(1062, dots, LONG + "ab", "other")).isEqualTo(new Duplicate(LONG + "ab"));
  }

  @Test
  void otherFailuresAreNoDuplicates() {
    String own = "Duplicate entry 'e-1' for key '" + KEY + "'";
    assertThat(told(1062, own, "e-1")).isEqualTo(new Duplicate("e-1"));
    assertThat(told(1586, own, "e-1")).isNull();
    assertThat(told(1452, own, "e-1")).isNull();
    assertThat(told(1062, "Duplicate entry 'e-1' for key 'other_key'", "e-1")).isNull();
    assertThat(told(1062, "Duplicate entry 'e-1' for key 'x_" + KEY + "'", "e-1")).isNull();
    assertThat(told(1062, "Duplicate entry 'e-1' for key 'PRIMARY'", "e-1")).isNull();
    assertThat(told(1062, "Duplicate entry 'for key '" + KEY + "'' for key 'other'", "e")).isNull();
    assertThat(told(1062, "Duplicate entry", "e-1")).isNull();
    assertThat(told(1062, "'" + KEY + "'", "e-1")).isNull();
  }
}
