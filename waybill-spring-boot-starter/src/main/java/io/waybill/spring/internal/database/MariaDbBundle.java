package io.waybill.spring.internal.database;

import javax.net.ssl.KeyManager;
import javax.net.ssl.TrustManager;
import org.mariadb.jdbc.Configuration;
import org.mariadb.jdbc.HostAddress;
import org.mariadb.jdbc.export.ExceptionFactory;
import org.mariadb.jdbc.plugin.tls.main.DefaultTlsSocketPlugin;
import org.springframework.boot.ssl.SslBundle;

/**
 * TLS of an SSL bundle for MariaDB's driver, which finds this class as a service by its type.
 * Thread-safe.
 */
public final class MariaDbBundle extends DefaultTlsSocketPlugin {
  /** Value of the property {@code tlsSocketType}. */
  static final String TYPE = "waybill-ssl-bundle";

  /** Property of the bundle's name, which is none of the driver's own. */
  static final String NAME = "waybillSslBundle";

  /** For the driver. */
  public MariaDbBundle() {}

  @Override
  public String type() {
    return TYPE;
  }

  @Override
  public TrustManager[] getTrustManager(
      Configuration configuration, ExceptionFactory exceptions, HostAddress host) {
    return bundle(configuration).getManagers().getTrustManagers();
  }

  @Override
  public KeyManager[] getKeyManager(Configuration configuration, ExceptionFactory exceptions) {
    return bundle(configuration).getManagers().getKeyManagers();
  }

  private static SslBundle bundle(Configuration configuration) {
    return DatabaseBundles.get(configuration.nonMappedOptions().getProperty(NAME));
  }
}
