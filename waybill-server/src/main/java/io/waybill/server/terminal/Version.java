package io.waybill.server.terminal;

import picocli.CommandLine.IVersionProvider;

/** The version in the jar's manifest. */
public final class Version implements IVersionProvider {
  /** For picocli. */
  public Version() {}

  @Override
  public String[] getVersion() {
    String version = Version.class.getPackage().getImplementationVersion();
    return new String[] {"waybill " + (version == null ? "development" : version)};
  }
}
