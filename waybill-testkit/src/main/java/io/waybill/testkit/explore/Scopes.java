package io.waybill.testkit.explore;

import java.util.List;

final class Scopes {
  static Scope named(String name) {
    return switch (name) {
      case "one" -> new Scope(name, List.of(0), 1, false, false, 2, true, false, 3, Scope.ALL_FAULTS, Protocol.WAYBILL);
      case "key" -> new Scope(name, List.of(0, 0), 1, false, false, 2, true, false, 3, Scope.ALL_FAULTS, Protocol.WAYBILL);
      case "bury" -> new Scope(name, List.of(0, 0), 1, false, true, 1, true, false, 3, Scope.ALL_FAULTS, Protocol.WAYBILL);
      case "pipe" -> new Scope(name, List.of(0, 0, 0), 1, true, false, 2, true, false, 3, Scope.ALL_FAULTS, Protocol.WAYBILL);
      case "lanes" -> new Scope(name, List.of(0, 1), 2, false, false, 2, true, false, 3, Scope.ALL_FAULTS, Protocol.WAYBILL);
      case "write" -> new Scope(name, List.of(0, 1), 1, false, false, 2, false, false, 3, Scope.ALL_FAULTS, Protocol.WAYBILL);
      case "slow" -> new Scope(name, List.of(0), 1, false, false, 2, true, true, 3, Scope.ALL_FAULTS, Protocol.WAYBILL);
 default -> throw new IllegalArgumentException(name);
    };
  }
}
