package io.waybill.bench.compare;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rivals that Waybill is measured beside, whether or not they can be resolved. */
enum RivalKind {
  DEBEZIUM("debezium", "debezium-embedded", Traits.ORDERED),
  NAMASTACK("namastack", "namastack-outbox-core", Traits.ORDERED_AND_SHARED),
  MODULITH("modulith", "spring-modulith-events-core", Traits.UNORDERED),
  TRANSACTION_OUTBOX("transaction-outbox", "transactionoutbox-core", Traits.UNORDERED_AND_SHARED),
  TRANSACTION_OUTBOX_ORDERED(
      "transaction-outbox-ordered", "transactionoutbox-core", Traits.ORDERED_AND_SHARED),
  TUTORIAL("tutorial", "spring-kafka", Traits.ORDERED);

  /** What a rival promises. */
  private enum Traits {
    ORDERED,
    ORDERED_AND_SHARED,
    UNORDERED,
    UNORDERED_AND_SHARED
  }

  private final String label;
  private final String artifact;
  private final Traits traits;

  RivalKind(String label, String artifact, Traits traits) {
    this.label = label;
    this.artifact = artifact;
    this.traits = traits;
  }

  /** Its name, which is also that of its module. */
  String label() {
    return label;
  }

  /** Why there is no module of it, or null if there is one. */
  @Nullable String absence() {
    return this == TRANSACTION_OUTBOX_ORDERED
        ? "transactionoutbox-core has an order since version 5, and 4.2.268 is the newest version"
            + " that resolves completely"
        : null;
  }

  /** The artifact whose version is the rival's. */
  String artifact() {
    return artifact;
  }

  /** Whether it promises the order of a key. */
  boolean ordered() {
    return traits == Traits.ORDERED || traits == Traits.ORDERED_AND_SHARED;
  }

  /** Whether its documentation lets several instances relay from one table at once. */
  boolean shared() {
    return traits == Traits.ORDERED_AND_SHARED || traits == Traits.UNORDERED_AND_SHARED;
  }

  /** Names of its candidates. */
  List<String> candidates() {
    return List.of(label, label + Rival.DEFAULT);
  }
}
