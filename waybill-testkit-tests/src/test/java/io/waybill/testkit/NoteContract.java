package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.admin.Admin;
import io.waybill.admin.EventFilter;
import io.waybill.admin.EventStatus;
import io.waybill.admin.FailureGroup;
import io.waybill.internal.jdbc.operator.Jobs;
import io.waybill.internal.jdbc.operator.Notes;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A group of failures has one note, which is replaced, removed and forgotten, beside any table. */
abstract class NoteContract extends OperatedContract {
  private static final String TEXT = "Gr\u00fc\u00dfe: 'wait' for ticket 7;\n--";

  private void age() throws SQLException {
    try (Connection connection = fixture().connect();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "update %s set written_at = written_at - interval '15' day"
              .formatted(fixture().table("note")));
    }
  }

  @Test
  void aGroupHasOneNoteUntilItIsOld() throws SQLException {
    states();
    try (Admin admin = admin()) {
      FailureGroup group = admin.failures(EventStatus.PARKED, null, 1, 10).get(0);
      EventFilter events = FailureGroup.filter(group.id());
      List<String> both = List.of(group.group(), "0".repeat(32));
      Notes notes = Notes.of(admin);
      assertThat(notes.of(both)).isEmpty();
      assertThat(notes.write(events, "another", "alice")).isTrue();
      assertThat(notes.write(events, TEXT, "bob")).isTrue();
      assertThat(notes.of(both)).containsOnlyKeys(group.group());
      Notes.Note note = Objects.requireNonNull(notes.of(both).get(group.group()));
      assertThat(note.text()).isEqualTo(TEXT);
      assertThat(note.by()).isEqualTo("bob");
      assertThat(note.at()).isAfter(group.last().minusSeconds(60));

      assertThat(Jobs.of(admin).clean()).isZero();
      age();
      assertThat(Jobs.of(admin).clean()).isOne();
      assertThat(notes.of(both)).isEmpty();
    }
  }

  @Test
  void aNoteIsRemovedAndNeedsItsGroup() throws SQLException {
    states();
    try (Admin admin = admin()) {
      FailureGroup group = admin.failures(EventStatus.PARKED, null, 1, 10).get(0);
      EventFilter events = FailureGroup.filter(group.id());
      Notes notes = Notes.of(admin);
      notes.write(events, TEXT, "bob");
      assertThat(notes.write(events, null, "bob")).isTrue();
      assertThat(notes.of(List.of(group.group()))).isEmpty();
      assertThat(notes.write(FailureGroup.filter("dead-" + "0".repeat(32)), TEXT, "bob")).isFalse();
      assertThat(notes.of(List.of())).isEmpty();
    }
  }
}
