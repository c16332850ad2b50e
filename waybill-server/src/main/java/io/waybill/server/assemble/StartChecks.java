package io.waybill.server.assemble;

import io.waybill.observe.Finding;
import io.waybill.server.config.KafkaConfig;
import io.waybill.server.config.OutboxConfig;
import io.waybill.server.config.RabbitConfig;
import io.waybill.server.config.ServerConfig;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/** Everything that is checked before a relay starts. */
public final class StartChecks {
  private StartChecks() {}

  /**
   * Declares at the broker what the configuration asks for.
   *
   * @param config the outbox
   * @return what the broker refused, as refusing findings; a warning if it could not be reached
   */
  static List<Finding> declare(OutboxConfig config) {
    return config.broker() instanceof RabbitConfig rabbit ? RabbitSide.declare(rabbit) : List.of();
  }

  /**
   * Checks the database, the broker, then the configuration; changes nothing.
   *
   * @param server the whole configuration
   * @param config the outbox
   * @return findings, none if all is well
   * @throws io.waybill.store.StoreException when the database does not answer in time
   */
  public static List<Finding> of(ServerConfig server, OutboxConfig config) {
    return of(server, config, Clock.systemUTC());
  }

  /** The same with a clock of this machine. */
  static List<Finding> of(ServerConfig server, OutboxConfig config, Clock clock) {
    List<Finding> findings = new ArrayList<>(Databases.tables(config, "checks").check());
    if (config.broker() instanceof RabbitConfig rabbit) {
      findings.addAll(RabbitSide.check(rabbit, config));
    }
    if (config.broker() instanceof KafkaConfig kafka) {
      findings.addAll(KafkaSide.check(kafka, config));
    }
    findings.addAll(ConfigChecks.of(server, config, clock.instant()));
    findings.addAll(ClockCheck.of(config, clock));
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
        + finding.check().code()
        + ": "
        + finding.subject()
        + ": "
        + finding.detail()
        + "; mend with: "
        + finding.remedy();
  }
}
