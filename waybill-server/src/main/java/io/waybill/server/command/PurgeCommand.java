package io.waybill.server.command;

import io.waybill.admin.Admin;
import io.waybill.admin.EventFilter;
import io.waybill.admin.EventStatus;
import io.waybill.admin.EventView;
import io.waybill.admin.Instruction;
import io.waybill.server.remote.OutboxAccess;
import io.waybill.server.terminal.CommandFailure;
import io.waybill.server.terminal.ExitCode;
import io.waybill.server.terminal.Output;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Removes dead events; no relay has to run, since none keeps anything of them. */
@Command(
    name = "purge",
    description = {
      "Remove dead events for good, including payloads; the audit keeps its entries about them.",
      "Needs a database user who may delete from the outbox; of an API its administrator."
    })
final class PurgeCommand implements Callable<Integer> {
  private static final int FIRST_ROWS = 10;

  @Mixin private ConfigOptions options = new ConfigOptions();
  @Mixin private FilterOptions filter = new FilterOptions();
  @Mixin private ChangeOptions change = new ChangeOptions();
  @Mixin private Output output = new Output();

  private final AtomicInteger matched = new AtomicInteger();
  private final AtomicInteger removed = new AtomicInteger();
  private final List<EventView> first = new ArrayList<>();

  @Override
  public Integer call() {
    if (filter.isEmpty()) {
      throw new CommandFailure(
          ExitCode.USAGE, "Say which events: ids, or a filter like --state dead");
    }
    filter.only(EventStatus.DEAD);
    Instruction by = change.yes() ? change.instruction(options.context().user()) : null;
    OutboxAccess outbox = options.access();
    boolean more;
    try (Admin admin = outbox.admin()) {
      Selection selection = new Selection(admin, filter, outbox);
      more =
          output.during(
              () -> removed.get() + " removed",
              () ->
                  selection.visit(
                      filter.limitOfChange(),
                      page -> {
                        matched.addAndGet(page.size());
                        first.addAll(
                            page.subList(0, Math.min(page.size(), FIRST_ROWS - first.size())));
                        if (by != null) {
                          removed.addAndGet(admin.purge(these(page), page.size(), by));
                        }
                      }));
    }
    tell(by == null, more);
    boolean fine = by == null ? matched.get() > 0 : removed.get() > 0;
    return fine ? ExitCode.OK : ExitCode.FINDINGS;
  }

  private static EventFilter these(List<EventView> page) {
    List<String> ids = page.stream().map(EventView::eventId).toList();
    return new EventFilter(ids, EventStatus.DEAD, null, null, null);
  }

  private void tell(boolean dryRun, boolean more) {
    if (output.json()) {
      Map<String, Object> result = new LinkedHashMap<>();
      result.put("verb", "purge");
      result.put("dryRun", dryRun);
      result.put("matched", matched.get());
      result.put("more", more);
      result.put("removed", removed.get());
      output.object(result);
      return;
    }
    if (dryRun) {
      output.line("Would remove " + matched.get() + " dead event(s).");
      if (!first.isEmpty()) {
        output.rows(EventRows.of(first), "");
      }
      if (matched.get() > FIRST_ROWS) {
        output.line("... and " + (matched.get() - FIRST_ROWS) + " more");
      }
      output.line("Nothing was changed. Add --yes and --reason to do it.");
    } else {
      int left = matched.get() - removed.get();
      output.line(
          matched.get()
              + " dead event(s) matched, "
              + removed.get()
              + " removed."
              + (left == 0 ? "" : " The others wait for a request."));
    }
    if (more) {
      output.line("More events match than --limit allows; repeat the command for the next ones.");
    }
  }
}
