package io.waybill.internal.relay.shell;

import io.waybill.broker.Publisher;
import io.waybill.policy.EngineSettings;
import io.waybill.store.RelayProcess;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/** What a relay tells of the process in which it runs. */
public final class ThisProcess {
  private ThisProcess() {}

  static RelayProcess of(
      String relay, EngineSettings settings, Stores stores, Publisher publisher) {
    return new RelayProcess(
        relay, host(), version(), sum(settings + " " + stores.source() + " " + publisher));
  }

  static String version() {
    String version = Relay.class.getPackage().getImplementationVersion();
    return version == null ? "of a build without version" : version;
  }

  /** The same for relays with the same bounds and intervals, table and broker. */
  private static String sum(String configuration) {
    CRC32 sum = new CRC32();
    sum.update(configuration.getBytes(StandardCharsets.UTF_8));
    return "%08x".formatted(sum.getValue());
  }

  /** Name of the machine; empty if it has none. */
  public static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "";
    }
  }
}
