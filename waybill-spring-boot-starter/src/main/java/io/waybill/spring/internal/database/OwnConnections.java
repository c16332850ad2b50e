package io.waybill.spring.internal.database;

import io.waybill.database.ConnectionFactory;
import io.waybill.spring.internal.keys.BrokerContext;
import io.waybill.spring.internal.keys.ConfiguredOutbox;
import io.waybill.spring.properties.OutboxProperties;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Properties;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslOptions;

/**
 * Connections of an outbox that has a database of its own. Each has the password and the SSL bundle
 * of its moment.
 */
public final class OwnConnections implements ConnectionFactory {
  private final OutboxProperties.Database database;
  private final String url;
  private final Supplier<@Nullable String> password;
  private final PostgresLogIn logIn;
  private final @Nullable Supplier<SslBundle> bundle;
  // What drivers call the bundle.
  private final @Nullable String bundleName;

  private OwnConnections(
      ConfiguredOutbox outbox,
      Supplier<@Nullable String> password,
      @Nullable Supplier<SslBundle> bundle) {
    this.database = outbox.properties().database();
    this.url = Objects.requireNonNull(database.url());
    this.password = password;
    this.logIn =
        new PostgresLogIn(
            url,
            database.allowPlaintextPasswords(),
            outbox.key("database.allow-plaintext-passwords"));
    this.bundle = bundle;
    this.bundleName = bundle == null ? null : DatabaseBundles.add(bundle);
  }

  /**
   * Connections by URL. A bundle that there is not is refused.
   *
   * @param context where password and SSL bundle come from
   */
  public static ConnectionFactory of(ConfiguredOutbox outbox, BrokerContext context) {
    OutboxProperties.Database database = outbox.properties().database();
    String key = outbox.key("database.ssl-bundle");
    return of(
        outbox,
        SecretSource.of(
            context.environment(), outbox.key("database.password"), database.password()),
        database.sslBundle() == null ? null : context.bundle(key, database.sslBundle()));
  }

  /**
   * The same with what is asked for each connection.
   *
   * @param password the password as it is now
   * @param bundle the SSL bundle as it is now, null where the driver's own properties say what TLS
   *     there is
   */
  static ConnectionFactory of(
      ConfiguredOutbox outbox,
      Supplier<@Nullable String> password,
      @Nullable Supplier<SslBundle> bundle) {
    OwnConnections own = new OwnConnections(outbox, password, bundle);
    return own.isPostgres() ? own.behind(own.database.pooler()) : own;
  }

  private boolean isPostgres() {
    return url.startsWith("jdbc:postgresql:");
  }

  @Override
  public Connection open() throws SQLException {
    if (!isPostgres()) {
      return ConnectionFactory.mariaDb(url, mariaDb()).open();
    }
    Properties properties = postgres();
    logIn.restrict(properties);
    try {
      return ConnectionFactory.postgres(url, properties).open();
    } catch (SQLException e) {
      throw logIn.explained(e, properties);
    }
  }

  @Override
  public String describe() {
    return url.replaceFirst("[?].*", "");
  }

  private Properties postgres() {
    Properties properties = login();
    String seconds = Long.toString(database.connectTimeout().toSeconds());
    properties.setProperty("connectTimeout", seconds);
    properties.setProperty("loginTimeout", seconds);
    if (bundleName != null) {
      verify(properties, "sslmode");
      properties.setProperty("sslfactory", PostgresBundle.class.getName());
      properties.setProperty("sslfactoryarg", bundleName);
    }
    return properties;
  }

  private Properties mariaDb() {
    Properties properties = login();
    String millis = Long.toString(database.connectTimeout().toMillis());
    properties.setProperty("connectTimeout", millis);
    properties.setProperty("socketTimeout", millis);
    if (bundleName != null) {
      verify(properties, "sslMode");
      properties.setProperty("tlsSocketType", MariaDbBundle.TYPE);
      properties.setProperty(MariaDbBundle.NAME, bundleName);
      SslOptions options = Objects.requireNonNull(bundle).get().getOptions();
      list(properties, "enabledSslCipherSuites", options.getCiphers());
      list(properties, "enabledSslProtocolSuites", options.getEnabledProtocols());
    }
    return properties;
  }

  /** Unless it is said otherwise: a property is given once, here or in the URL. */
  private void verify(Properties properties, String mode) {
    if (!Pattern.compile("[?&]" + mode + "=").matcher(url).find()) {
      properties.putIfAbsent(mode, "verify-full");
    }
  }

  private static void list(Properties properties, String name, String @Nullable [] values) {
    if (values != null) {
      properties.setProperty(name, String.join(",", values));
    }
  }

  private Properties login() {
    Properties properties = new Properties();
    properties.putAll(database.properties());
    if (database.username() != null) {
      properties.setProperty("user", database.username());
    }
    String secret = password.get();
    if (secret != null) {
      properties.setProperty("password", secret);
    }
    return properties;
  }
}
