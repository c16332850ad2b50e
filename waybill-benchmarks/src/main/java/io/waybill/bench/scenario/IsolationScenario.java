package io.waybill.bench.scenario;

import io.waybill.bench.report.Results;
import io.waybill.bench.stage.Candidate;
import io.waybill.bench.stage.Options;
import io.waybill.bench.stage.Progress;
import io.waybill.bench.stage.Stage;
import io.waybill.bench.wire.BrokerKind;
import java.util.ArrayList;
import java.util.List;

/**
 * A steady load, of which a part cannot be published for the second half of the time: its topic is
 * missing, its queue is full, or one key has a poison event. The latency is that of the others.
 */
record IsolationScenario(Stage stage, Options options, Results results) {
  void run() {
    List<Candidate> all = new ArrayList<>(List.of(Candidate.MISSING_TOPIC, Candidate.POISON_KEY));
    if (options.broker() == BrokerKind.RABBITMQ) {
      all.add(Candidate.FULL_QUEUE);
    }
    for (int round = 1; round <= options.rounds(); round++) {
      for (Candidate candidate : options.chosen(all)) {
        double ratio = new IsolationRun(stage, options).run(candidate, results.of(candidate));
        Progress.show(
            "round %d  %-14s p99 of the others is %.2f of that before"
                .formatted(round, candidate.label(), ratio));
      }
    }
  }
}
