package io.waybill.internal.jdbc.append;

import io.waybill.internal.text.JsonText;
import io.waybill.layout.KeyColumns;
import io.waybill.layout.Layout;
import io.waybill.layout.PayloadKind;
import io.waybill.message.Event;
import io.waybill.message.EventKey;
import io.waybill.message.Violation;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a layout's table cannot keep of an event. Immutable. */
public final class AppendRules {
  private final Layout layout;
  private final List<AppendCell> cells;

  public AppendRules(Layout layout, List<AppendCell> cells) {
    this.layout = layout;
    this.cells = cells;
  }

  /** All broken rules. Row ids are not looked at. */
  public List<Violation> violations(Event event) {
    List<Violation> found = new ArrayList<>();
    key(event, found);
    if (event.availableAt() != null && layout.order().availableAt() == null) {
      add(found, "availableAt", "must be absent: there is no column for it", event.availableAt());
    }
    AppendCell.Row row = new AppendCell.Row(event, "0");
    for (AppendCell cell : cells) {
      if (cell.field().equals("payload")) {
        payload(cell, event, found);
      } else if (cell.value() != null && !cell.field().equals("row id")) {
        Object value = cell.value().of(row);
        String text = value == null ? null : value.toString();
        String rule = ColumnRules.broken(cell.column(), text);
        if (rule != null) {
          add(found, cell.field(), rule + " in " + where(cell), text);
        }
      }
    }
    return found;
  }

  private void key(Event event, List<Violation> found) {
    EventKey key = event.key();
    if (key == null) {
      return;
    }
    if (layout.order().key() instanceof KeyColumns.None) {
      add(found, "aggregateId", "must be absent: there is no column for it", key.aggregateId());
    } else if (layout.order().key() instanceof KeyColumns.Single single) {
      if (!key.aggregateType().equals(single.aggregateType())) {
        String rule = "must be " + single.aggregateType() + ": there is no column for another";
        add(found, "aggregateType", rule, key.aggregateType());
      }
      boolean correlates = single.id().equals(layout.content().context().correlationId());
      String correlation = event.correlationId();
      if (correlates && correlation != null && !correlation.equals(key.aggregateId())) {
        String rule = "must be the aggregate id: column " + single.id() + " holds both";
        add(found, "correlationId", rule, correlation);
      }
    }
  }

  private void payload(AppendCell cell, Event event, List<Violation> found) {
    byte[] bytes = event.payload().bytes();
    if (bytes == null) {
      String rule = ColumnRules.broken(cell.column(), null);
      if (rule != null) {
        add(found, "payload", rule + " in " + where(cell), null);
      }
      return;
    }
    String rule = payloadRule(cell, bytes);
    if (rule != null) {
      add(found, "payload", rule + " in " + where(cell), bytes.length + " bytes");
    }
  }

  private @Nullable String payloadRule(AppendCell cell, byte[] bytes) {
    if (layout.content().kind() == PayloadKind.BYTES) {
      return null;
    }
    if (layout.content().kind() == PayloadKind.JSON) {
      String rule = JsonText.violation(bytes);
      return rule == null && cell.column().type().equals("jsonb")
          ? JsonEscapes.broken(bytes)
          : rule;
    }
    String text = decoded(bytes);
    if (text == null) {
      return "must be well-formed UTF-8";
    }
    return text.indexOf('\0') >= 0
        ? "must not contain the character NUL"
        : ColumnRules.broken(cell.column(), text);
  }

  private static @Nullable String decoded(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  private static String where(AppendCell cell) {
    return "column " + cell.column().name() + " (" + cell.column().type() + ")";
  }

  private void add(List<Violation> found, String field, String rule, @Nullable Object value) {
    found.add(
        new Violation(
            field,
            rule + ", as layout " + layout.name() + " has it",
            value == null ? null : value.toString()));
  }
}
