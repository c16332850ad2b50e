package io.waybill.spring.internal.database;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslOptions;

/**
 * TLS of an SSL bundle for PostgreSQL's driver, whose property {@code sslfactory} names this class.
 */
public final class PostgresBundle extends SSLSocketFactory {
  private final SSLSocketFactory actual;
  private final SslOptions options;

  /**
   * For the driver.
   *
   * @param name value of the property {@code sslfactoryarg}
   * @throws IllegalStateException if there is no bundle of this name, or it cannot be read
   */
  public PostgresBundle(String name) {
    SslBundle bundle = DatabaseBundles.get(name);
    this.actual = bundle.createSslContext().getSocketFactory();
    this.options = bundle.getOptions();
  }

  private Socket with(Socket socket) {
    if (socket instanceof SSLSocket secured) {
      if (options.getCiphers() != null) {
        secured.setEnabledCipherSuites(options.getCiphers());
      }
      if (options.getEnabledProtocols() != null) {
        secured.setEnabledProtocols(options.getEnabledProtocols());
      }
    }
    return socket;
  }

  @Override
  public Socket createSocket(Socket plain, String host, int port, boolean autoClose)
      throws IOException {
    return with(actual.createSocket(plain, host, port, autoClose));
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return with(actual.createSocket(host, port));
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress local, int localPort)
      throws IOException {
    return with(actual.createSocket(host, port, local, localPort));
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return with(actual.createSocket(host, port));
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort)
      throws IOException {
    return with(actual.createSocket(host, port, local, localPort));
  }

  @Override
  public String[] getDefaultCipherSuites() {
    return actual.getDefaultCipherSuites();
  }

  @Override
  public String[] getSupportedCipherSuites() {
    return actual.getSupportedCipherSuites();
  }
}
