package io.waybill.rabbitmq;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * TLS of a connection.
 *
 * @param trust PEM certificates, or a PKCS#12 or JKS store, to check the broker's certificate
 *     against; null for the JVM's own
 * @param trustPassword password of the trust store, null for PEM
 * @param keys PKCS#12 or JKS store with the client's certificate and key; null for none
 * @param keysPassword password of the key store
 * @param verifyHostname whether the broker's certificate has to name the host
 * @param given a context to use as it is, in place of the stores; null to read them
 * @param parameters protocols and cipher suites, null for those of the context
 */
public record RabbitTls(
    @Nullable Path trust,
    @Nullable String trustPassword,
    @Nullable Path keys,
    @Nullable String keysPassword,
    boolean verifyHostname,
    @Nullable SSLContext given,
    @Nullable SSLParameters parameters) {

  /**
   * TLS with stores.
   *
   * @param trust PEM certificates, or a PKCS#12 or JKS store; null for the JVM's own
   * @param trustPassword password of the trust store, null for PEM
   * @param keys PKCS#12 or JKS store with the client's certificate and key; null for none
   * @param keysPassword password of the key store
   * @param verifyHostname whether the broker's certificate has to name the host
   */
  public RabbitTls(
      @Nullable Path trust,
      @Nullable String trustPassword,
      @Nullable Path keys,
      @Nullable String keysPassword,
      boolean verifyHostname) {
    this(trust, trustPassword, keys, keysPassword, verifyHostname, null, null);
  }

  /**
   * TLS with a ready-made context.
   *
   * @param context trust and keys
   * @param verifyHostname whether the broker's certificate has to name the host
   * @return the setting
   */
  public static RabbitTls of(SSLContext context, boolean verifyHostname) {
    return new RabbitTls(null, null, null, null, verifyHostname, context, null);
  }

  /**
   * TLS with a ready-made context, restricted to some of its protocols and cipher suites.
   *
   * @param context trust and keys
   * @param verifyHostname whether the broker's certificate has to name the host
   * @param parameters protocols and cipher suites; of each, null for those of the context
   * @return the setting
   */
  public static RabbitTls of(SSLContext context, boolean verifyHostname, SSLParameters parameters) {
    return new RabbitTls(null, null, null, null, verifyHostname, context, parameters);
  }

  /**
   * The JVM's own trust store, no client certificate, host name verified.
   *
   * @return the setting
   */
  public static RabbitTls ofDefaults() {
    return new RabbitTls(null, null, null, null, true);
  }

  /** Leaves a socket the protocols and cipher suites that are wanted. */
  void restrict(Socket socket) {
    if (parameters == null || !(socket instanceof SSLSocket secured)) {
      return;
    }
    if (parameters.getProtocols() != null) {
      secured.setEnabledProtocols(parameters.getProtocols());
    }
    if (parameters.getCipherSuites() != null) {
      secured.setEnabledCipherSuites(parameters.getCipherSuites());
    }
  }

  @Override
  public String toString() {
    return "RabbitTls[trust=%s, keys=%s, verifyHostname=%s]".formatted(trust, keys, verifyHostname);
  }

  /**
   * Reads the stores.
   *
   * @throws IllegalArgumentException when a store cannot be read
   */
  SSLContext context() {
    if (given != null) {
      return given;
    }
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keyManagers(), trustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalArgumentException("tls: cannot read " + this + ": " + e.getMessage(), e);
    }
  }

  private KeyManager @Nullable [] keyManagers() throws GeneralSecurityException, IOException {
    if (keys == null) {
      return null;
    }
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    char[] password = characters(keysPassword);
    factory.init(KeyStore.getInstance(keys.toFile(), password), password);
    return factory.getKeyManagers();
  }

  private TrustManager @Nullable [] trustManagers() throws GeneralSecurityException, IOException {
    if (trust == null) {
      return null;
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(
        trustPassword == null
            ? pem(trust)
            : KeyStore.getInstance(trust.toFile(), characters(trustPassword)));
    return factory.getTrustManagers();
  }

  private static KeyStore pem(Path file) throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    try (InputStream in = Files.newInputStream(file)) {
      int number = 0;
      for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        store.setCertificateEntry("ca" + number++, each);
      }
    }
    return store;
  }

  private static char[] characters(@Nullable String password) {
    return password == null ? new char[0] : password.toCharArray();
  }
}
