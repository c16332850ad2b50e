package io.waybill.examples.polyshop;

import java.util.Locale;

/** A service that {@link PolyShopService} starts. */
enum JavaService {
  AUTH(true),
  PRODUCT(true),
  INVENTORY(false),
  ORDER(true),
  SEARCH(false),
  ANALYTICS(false),
  GATEWAY(true);

  private final boolean serves;

  JavaService(boolean serves) {
    this.serves = serves;
  }

  /** Its profile, and the name of its database. */
  String profile() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** As in envelopes, groups and spans. */
  String source() {
    return this == GATEWAY ? profile() : profile() + "-service";
  }

  /** Whether it takes requests. */
  boolean serves() {
    return serves;
  }

  /** Whether it has a database. */
  boolean stores() {
    return this != GATEWAY;
  }
}
