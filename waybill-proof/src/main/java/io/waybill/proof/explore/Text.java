package io.waybill.proof.explore;

import io.waybill.internal.relay.Effect;
import io.waybill.proof.explore.Step.Answer;
import io.waybill.store.FailedRow;
import io.waybill.store.OutboxRow;
import io.waybill.store.Settlement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Calls and answers for people. */
final class Text {
  private Text() {}

  static String of(Effect.@Nullable Call call) {
    if (call instanceof Effect.Settle settle) {
      Settlement s = settle.settlement();
      return "Settle by session "
          + settle.session().fence()
          + " published "
          + ids(s.published())
          + ids(s.recovered())
          + " failed "
          + failed(s.failed())
          + " held "
          + ids(s.held());
    }
    return String.valueOf(call);
  }

  static String of(Answer answer) {
    if (answer instanceof Answer.Rows rows) {
      return ids(rows.result().rows()) + (rows.result().more() ? " and more" : "");
    } else if (answer instanceof Answer.Left left) {
      return "failed " + failed(left.backlog().failed()) + " held " + left.backlog().held();
    }
    return answer.toString();
  }

  private static List<String> ids(List<OutboxRow> rows) {
    return rows.stream().map(OutboxRow::eventId).toList();
  }

  private static List<String> failed(List<FailedRow> rows) {
    return rows.stream().map(f -> f.row().eventId() + " " + f.state() + f.attempts()).toList();
  }
}
