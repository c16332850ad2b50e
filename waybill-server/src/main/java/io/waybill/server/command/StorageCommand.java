package io.waybill.server.command;

import io.waybill.admin.Admin;
import io.waybill.internal.jdbc.operator.Storage;
import io.waybill.server.remote.OutboxAccess;
import io.waybill.server.terminal.ExitCode;
import io.waybill.server.terminal.Output;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Shows what the tables of outboxes weigh. */
@Command(
    name = "storage",
    description = {
      "Show the size of each outbox's tables, and the oldest open transactions.",
      "While one is open, the database keeps the rows that were removed after it began."
    })
final class StorageCommand implements Callable<Integer> {
  @Mixin private ConfigOptions options = new ConfigOptions();
  @Mixin private Output output = new Output();

  @Override
  public Integer call() {
    List<Map<String, @Nullable Object>> all = new ArrayList<>();
    for (OutboxAccess outbox : options.accesses()) {
      try (Admin admin = outbox.admin()) {
        all.add(row(outbox.name(), outbox.storage(admin)));
      }
    }
    output.blocks(all, "There is no outbox.");
    return ExitCode.OK;
  }

  private static Map<String, @Nullable Object> row(String outbox, Storage storage) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("outbox", outbox);
    row.put("waiting", storage.waiting());
    row.put("more", storage.more());
    row.put("tables", storage.tables());
    row.put("unpurged", storage.unpurged());
    row.put("transactions", storage.transactions());
    row.put("grant", storage.grant());
    return row;
  }
}
