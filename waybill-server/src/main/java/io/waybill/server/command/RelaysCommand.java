package io.waybill.server.command;

import io.waybill.admin.Admin;
import io.waybill.admin.LaneOwner;
import io.waybill.admin.SessionView;
import io.waybill.server.terminal.ExitCode;
import io.waybill.server.terminal.Output;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists the relays of an outbox. */
@Command(
    name = "relays",
    description = "List relays with host, version, configuration, lease and lanes.")
final class RelaysCommand implements Callable<Integer> {
  @Mixin private ConfigOptions options = new ConfigOptions();
  @Mixin private Output output = new Output();

  @Override
  public Integer call() {
    try (Admin admin = options.access().admin()) {
      List<LaneOwner> lanes = admin.lanes();
      output.rows(
          admin.sessions().stream().map(session -> row(session, lanes)).toList(), "No relay runs.");
      return ExitCode.OK;
    }
  }

  private static Map<String, Object> row(SessionView session, List<LaneOwner> lanes) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("relay", session.relay());
    row.put("host", session.host());
    row.put("version", session.version());
    row.put("configuration", session.configuration());
    row.put("fence", session.fence());
    row.put("joinedAt", session.joinedAt().toString());
    row.put("renewedAt", session.renewedAt().toString());
    row.put("leaseSeconds", session.leaseMillis() / 1000.0);
    row.put("lanes", session.lanes());
    row.put(
        "owned",
        ranges(
            lanes.stream()
                .filter(lane -> Objects.equals(lane.fence(), session.fence()))
                .map(LaneOwner::lane)
                .sorted()
                .toList()));
    return row;
  }

  /** Neighbours as one text. */
  static List<String> ranges(List<Integer> numbers) {
    List<String> ranges = new ArrayList<>();
    for (int begin = 0, end = 0; begin < numbers.size(); begin = end) {
      end = begin + 1;
      while (end < numbers.size() && numbers.get(end) == numbers.get(end - 1) + 1) {
        end++;
      }
      int first = numbers.get(begin);
      int last = numbers.get(end - 1);
      ranges.add(first == last ? "" + first : first + "-" + last);
    }
    return ranges;
  }
}
