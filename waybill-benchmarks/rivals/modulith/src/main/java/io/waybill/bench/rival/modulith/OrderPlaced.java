package io.waybill.bench.rival.modulith;

import io.waybill.bench.load.Ref;
import java.nio.charset.StandardCharsets;

/**
 * The event.
 *
 * @param body JSON that goes to the broker
 */
public record OrderPlaced(String body) {
  /** Its key, which the body begins with. */
  String key() {
    return Integer.toString(Ref.key(Ref.find(body.getBytes(StandardCharsets.UTF_8))));
  }
}
