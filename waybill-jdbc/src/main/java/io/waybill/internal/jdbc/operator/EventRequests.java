package io.waybill.internal.jdbc.operator;

import io.waybill.admin.Admin;
import io.waybill.admin.AuditEntry;
import io.waybill.admin.EventFilter;
import io.waybill.admin.EventView;
import io.waybill.admin.Instruction;
import io.waybill.store.OperatorRequest.Verb;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The part of {@link Admin} that finds events, asks for something, and sees what became of it. */
public interface EventRequests {
  /** As {@link Admin#find}. */
  List<EventView> find(EventFilter filter, @Nullable String after, int limit);

  /** As {@link Admin#request}. */
  int request(Verb verb, EventFilter filter, int limit, Instruction by);

  /** As {@link Admin#audit}. */
  List<AuditEntry> audit(long beforeId, int limit);

  /** That of an outbox. */
  static EventRequests of(Admin admin) {
    return new EventRequests() {
      @Override
      public List<EventView> find(EventFilter filter, @Nullable String after, int limit) {
        return admin.find(filter, after, limit);
      }

      @Override
      public int request(Verb verb, EventFilter filter, int limit, Instruction by) {
        return admin.request(verb, filter, limit, by);
      }

      @Override
      public List<AuditEntry> audit(long beforeId, int limit) {
        return admin.audit(beforeId, limit);
      }
    };
  }
}
