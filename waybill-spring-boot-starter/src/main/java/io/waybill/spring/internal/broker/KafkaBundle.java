package io.waybill.spring.internal.broker;

import io.waybill.spring.internal.keys.Problems;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslOptions;

/** An SSL bundle as properties of Kafka's client: trust and keys as PEM texts. */
final class KafkaBundle {
  private static final Base64.Encoder BASE64 =
      Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));

  private KafkaBundle() {}

  static Map<String, String> properties(SslBundle bundle) {
    Map<String, String> properties = new HashMap<>();
    try {
      trust(properties, bundle.getStores().getTrustStore());
      keys(properties, bundle);
    } catch (GeneralSecurityException e) {
      throw Problems.failure(List.of("an SSL bundle for Kafka cannot be read"), e);
    }
    properties.put("ssl.protocol", bundle.getProtocol());
    SslOptions options = bundle.getOptions();
    list(properties, "ssl.cipher.suites", options.getCiphers());
    list(properties, "ssl.enabled.protocols", options.getEnabledProtocols());
    return properties;
  }

  private static void list(
      Map<String, String> properties, String name, String @Nullable [] values) {
    if (values != null) {
      properties.put(name, String.join(",", values));
    }
  }

  private static void trust(Map<String, String> properties, @Nullable KeyStore store)
      throws GeneralSecurityException {
    if (store == null) {
      return;
    }
    StringBuilder text = new StringBuilder();
    for (String alias : Collections.list(store.aliases())) {
      Certificate certificate = store.getCertificate(alias);
      if (certificate != null) {
        text.append(pem("CERTIFICATE", certificate.getEncoded()));
      }
    }
    properties.put("ssl.truststore.type", "PEM");
    properties.put("ssl.truststore.certificates", text.toString());
  }

  private static void keys(Map<String, String> properties, SslBundle bundle)
      throws GeneralSecurityException {
    KeyStore store = bundle.getStores().getKeyStore();
    if (store == null) {
      return;
    }
    String alias = alias(store, bundle.getKey().getAlias());
    Key key = store.getKey(alias, password(bundle));
    Certificate[] chain = store.getCertificateChain(alias);
    if (key == null || chain == null) {
      throw new GeneralSecurityException("no key with a certificate of alias " + alias);
    }
    StringBuilder text = new StringBuilder();
    for (Certificate certificate : chain) {
      text.append(pem("CERTIFICATE", certificate.getEncoded()));
    }
    properties.put("ssl.keystore.type", "PEM");
    properties.put("ssl.keystore.certificate.chain", text.toString());
    properties.put("ssl.keystore.key", pem("PRIVATE KEY", key.getEncoded()));
  }

  private static String alias(KeyStore store, @Nullable String given)
      throws GeneralSecurityException {
    if (given != null) {
      return given;
    }
    for (String alias : Collections.list(store.aliases())) {
      if (store.isKeyEntry(alias)) {
        return alias;
      }
    }
    throw new GeneralSecurityException("the key store has no key");
  }

  private static char[] password(SslBundle bundle) {
    String password = bundle.getKey().getPassword();
    if (password == null) {
      password = bundle.getStores().getKeyStorePassword();
    }
    return password == null ? new char[0] : password.toCharArray();
  }

  private static String pem(String kind, byte[] content) {
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(kind, BASE64.encodeToString(content), kind);
  }
}
