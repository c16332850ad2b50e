package io.waybill.spring.actuate;

import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;

/** Lists the outboxes and relays of this process. */
public final class WaybillInfoContributor implements InfoContributor {
  private final Map<String, String> relays;

  /**
   * Creates a contributor of these names.
   *
   * @param relays name of its relay, by the name of each outbox
   */
  public WaybillInfoContributor(Map<String, String> relays) {
    this.relays = new LinkedHashMap<>(relays);
  }

  @Override
  public void contribute(Info.Builder builder) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("outboxes", relays);
    String version = WaybillInfoContributor.class.getPackage().getImplementationVersion();
    if (version != null) {
      details.put("version", version);
    }
    builder.withDetail("waybill", details);
  }
}
