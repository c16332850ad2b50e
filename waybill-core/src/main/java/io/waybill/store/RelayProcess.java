package io.waybill.store;

/**
 * A relay's process, as it describes itself when it joins. People read it in the relay's session.
 *
 * @param relay name of the relay
 * @param host name of its machine or container; empty if it is not known
 * @param version Waybill's version; empty if it is not known
 * @param configuration the same short text for relays with the same configuration; empty if it is
 *     not known
 */
public record RelayProcess(String relay, String host, String version, String configuration) {
  /**
   * A relay of which no more than the name is known.
   *
   * @param relay name of the relay
   * @return process
   */
  public static RelayProcess named(String relay) {
    return new RelayProcess(relay, "", "", "");
  }
}
