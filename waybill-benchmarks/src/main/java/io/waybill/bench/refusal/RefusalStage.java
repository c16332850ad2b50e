package io.waybill.bench.refusal;

import io.waybill.bench.stage.Candidate;
import io.waybill.bench.wire.BrokerKind;
import io.waybill.bench.wire.Inflow;
import io.waybill.broker.Broker;
import io.waybill.message.Destination;
import io.waybill.route.Route;
import java.io.IOException;
import java.util.List;

/** A broker whose destinations can be made to refuse, and be repaired. */
interface RefusalStage extends AutoCloseable {
  static RefusalStage launch(BrokerKind kind) {
    return switch (kind) {
      case KAFKA -> new KafkaRefusals();
      case RABBITMQ -> new RabbitRefusals();
    };
  }

  /** How its destinations can refuse. */
  List<Candidate> kinds();

  /** Creates a healthy destination and one beside it that will refuse in a way. */
  Place create(Candidate kind);

  @Override
  void close();

  /** Two destinations, and how a relay connects to both. */
  abstract class Place {
    final Candidate kind;
    final String well;
    final String sick;

    Place(Candidate kind) {
      this.kind = kind;
      this.well = kind.label();
      this.sick = kind.label() + ".sick";
    }

    final String name(boolean healthy) {
      return healthy ? well : sick;
    }

    abstract Broker broker();

    /** The routes to them. */
    abstract Route route(boolean healthy);

    /** The healthy one. */
    abstract Destination healthy();

    /** Receives what reaches the healthy destination, or the other one. */
    abstract Inflow inflow(boolean healthy) throws IOException;

    /**
     * Whether consumers stay while it refuses. Where they do not, because they are what is missing
     * or what is stored goes with the destination, nothing is on its way when they leave.
     */
    abstract boolean isConsumedMeanwhile();

    /** Makes the second destination refuse. */
    abstract void spoil();

    /** Repairs it. */
    abstract void repair();
  }
}
