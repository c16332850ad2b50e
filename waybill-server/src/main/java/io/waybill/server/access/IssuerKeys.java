package io.waybill.server.access;

import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.JWKSetCacheRefreshEvaluator;
import com.nimbusds.jose.jwk.source.JWKSetRetrievalException;
import com.nimbusds.jose.jwk.source.JWKSetSource;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.jose.util.JSONObjectUtils;
import com.nimbusds.jose.util.ResourceRetriever;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.text.ParseException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The public keys of an OpenID Connect issuer, which its discovery document leads to. Nothing is
 * asked before the first token. Thread-safe.
 */
final class IssuerKeys implements JWKSetSource<SecurityContext> {
  /** Twice in such a time the issuer is asked: forged tokens name keys that it does not have. */
  static final Duration BETWEEN_QUESTIONS = Duration.ofSeconds(10);

  private static final Logger LOG = LoggerFactory.getLogger(IssuerKeys.class);
  private static final Duration TIMEOUT = Duration.ofSeconds(2);
  private static final int MOST_BYTES = 1_000_000;
  // An issuer that is away does not end what it has allowed, at once.
  private static final Duration KEPT = Duration.ofHours(1);
  private static final Duration ASKED_AGAIN = Duration.ofMinutes(5);
  // Who has to wait for another's question: all threads of the server are few.
  private static final Duration LONGEST_WAIT = Duration.ofMillis(500);

  private final String issuer;
  private final @Nullable String given;
  private final ResourceRetriever web =
      new DefaultResourceRetriever((int) TIMEOUT.toMillis(), (int) TIMEOUT.toMillis(), MOST_BYTES);
  private volatile @Nullable URL found;
  private volatile @Nullable String problem = "";

  private IssuerKeys(String issuer, @Nullable String given) {
    this.issuer = issuer;
    this.given = given;
  }

  /**
   * Keys that are kept for a while, and asked for in time and not too often.
   *
   * @param issuer as tokens name it
   * @param address where the keys are, or null if discovery says so
   * @return keys, to be closed
   */
  static JWKSource<SecurityContext> of(String issuer, @Nullable String address) {
    return JWKSourceBuilder.create(new IssuerKeys(issuer, address))
        .cache(KEPT.toMillis(), LONGEST_WAIT.toMillis())
        .refreshAheadCache(KEPT.minus(ASKED_AGAIN).toMillis(), false)
        .rateLimited(BETWEEN_QUESTIONS.toMillis())
        .build();
  }

  @Override
  public JWKSet getJWKSet(
      JWKSetCacheRefreshEvaluator refresh, long now, @Nullable SecurityContext context)
      throws KeySourceException {
    try {
      URL address = found;
      if (address == null) {
        address = url(given == null ? discovered() : given);
        found = address;
      }
      JWKSet keys = JWKSet.parse(web.retrieveResource(address).getContent());
      if (problem != null) {
        LOG.info("issuer {}: {} key(s)", issuer, keys.size());
        problem = null;
      }
      return keys;
    } catch (IOException | ParseException | IllegalArgumentException e) {
      found = null;
      tell(e.toString());
      throw new JWKSetRetrievalException("no keys of issuer " + issuer, e);
    }
  }

  private void tell(String why) {
    if (!why.equals(problem)) {
      problem = why;
      LOG.warn(
          "issuer {} gives no keys ({}); a token whose key is not known gets 503 until it does",
          issuer,
          why);
    }
  }

  private String discovered() throws IOException, ParseException {
    String base = issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer;
    URL document = url(base + "/.well-known/openid-configuration");
    Map<String, Object> said = JSONObjectUtils.parse(web.retrieveResource(document).getContent());
    String name = JSONObjectUtils.getString(said, "issuer");
    if (!issuer.equals(name)) {
      throw new IOException(
          "%s must name the issuer %s, but says %s".formatted(document, issuer, name));
    }
    return Objects.requireNonNullElse(JSONObjectUtils.getString(said, "jwks_uri"), "");
  }

  private static URL url(String text) throws IOException {
    URL url = URI.create(text).toURL();
    if (!url.getProtocol().startsWith("http")) {
      throw new IOException("keys must be at an address of http or https, not " + text);
    }
    return url;
  }

  @Override
  public void close() {
    // Nothing is open between two questions.
  }
}
