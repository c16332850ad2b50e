package io.waybill.spring.actuate;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;

/** Says which outbox and which relay this process has. */
public final class WaybillInfoContributor implements InfoContributor {
  private final String outbox;
  private final @Nullable String relay;

  /**
   * Tells names.
   *
   * @param outbox name of the outbox
   * @param relay name of the relay, or null if this process has none
   */
  public WaybillInfoContributor(String outbox, @Nullable String relay) {
    this.outbox = Objects.requireNonNull(outbox, "outbox");
    this.relay = relay;
  }

  @Override
  public void contribute(Info.Builder builder) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("outbox", outbox);
    details.put("relay", relay == null ? "none in this process" : relay);
    String version = WaybillInfoContributor.class.getPackage().getImplementationVersion();
    if (version != null) {
      details.put("version", version);
    }
    builder.withDetail("waybill", details);
  }
}
