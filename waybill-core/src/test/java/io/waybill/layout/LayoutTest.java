package io.waybill.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.waybill.internal.text.SqlName;
import io.waybill.message.Violation;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LayoutTest {
  @Test
  void presetsKeepTheRules() {
    assertThat(
            List.of(
                Layouts.WAYBILL,
                Layouts.WAYBILL_KEEP,
                Layouts.NOTIFICATION,
                Layouts.EVENT_OUTBOX,
                Layouts.WALLET,
                Layouts.POLYSHOP))
        .extracting(Layout::name)
        .containsExactly(
            "waybill", "waybill-keep", "notification", "event-outbox", "wallet", "polyshop");
  }

  @Test
  void allBrokenRulesAreNamedAtOnce() {
    LayoutBuilder builder =
        Layout.builder("mine", "out box")
            .schema("a b")
            .rowId("id;", RowIdKind.LONG)
            .key("type", "")
            .payload("pay\"load", PayloadKind.TEXT)
            .contentType("text/plain'")
            .headerColumn("node", "the header")
            .state(new StateColumn.Word("status", "new", "NEW", "it's"));

    InvalidLayoutException refused =
        catchThrowableOfType(InvalidLayoutException.class, builder::build);

    assertThat(refused.violations())
        .extracting(Violation::field)
        .containsExactlyInAnyOrder(
            "schema",
            "table",
            "rowId",
            "key.id",
            "payload",
            "contentType",
            "headerColumns.node",
            "state.published",
            "state.dead");
    assertThat(refused)
        .hasMessageStartingWith("Layout mine refused: ")
        .hasMessageContaining("it's");
  }

  @Test
  void aColumnThatIsWrittenIsNotRead() {
    LayoutBuilder builder =
        Layout.builder("mine", "outbox")
            .eventType("status")
            .state(new StateColumn.Flag("status"))
            .publishedAt("created_at")
            .error("status");

    InvalidLayoutException refused =
        catchThrowableOfType(InvalidLayoutException.class, builder::build);

    assertThat(refused.violations())
        .extracting(Violation::field)
        .containsExactlyInAnyOrder("error", "eventType", "createdAt");
  }

  @Test
  void theTimeOfTheNextAttemptMayBeTheWritersToo() {
    assertThatCode(
            () -> Layout.builder("mine", "outbox").availableAt("due").nextAttemptAt("due").build())
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1a", "a-b", "a b", "a\"b", "a`b", "a;b", "\u00e4"})
  void namesThatNeedQuotingAreRefused(String name) {
    assertThat(SqlName.isValid(name)).isFalse();
  }

  @Test
  void namesHaveAtMostTheLengthOfPostgresql() {
    assertThat(SqlName.isValid("_" + "a".repeat(62))).isTrue();
    assertThat(SqlName.isValid("_" + "a".repeat(63))).isFalse();
  }
}
