package io.waybill.server.assemble;

import io.waybill.jdbc.PostgresOutbox;
import io.waybill.observe.Finding;
import io.waybill.server.config.OutboxConfig;
import io.waybill.server.config.RabbitConfig;
import java.util.ArrayList;
import java.util.List;

/** Everything that is checked before a relay starts. */
public final class StartChecks {
  private StartChecks() {}

  /**
   * Checks the database, then the broker.
   *
   * @param config the outbox
   * @return findings, none if all is well
   * @throws io.waybill.store.StoreException when the database does not answer in time
   */
  public static List<Finding> of(OutboxConfig config) {
    PostgresOutbox tables =
        PostgresOutbox.of(Databases.connections(config), Databases.options(config, "checks"));
    List<Finding> findings = new ArrayList<>(tables.check());
    if (config.broker() instanceof RabbitConfig rabbit) {
      findings.addAll(RabbitSide.check(rabbit, config.routes()));
    }
    return findings;
  }

  /**
   * A finding in one line.
   *
   * @param config the outbox it is about
   * @param finding the finding
   * @return text for people
   */
  public static String text(OutboxConfig config, Finding finding) {
    return "outbox "
        + config.name()
        + ": "
        + finding.subject()
        + ": "
        + finding.detail()
        + "; mend with: "
        + finding.remedy();
  }
}
