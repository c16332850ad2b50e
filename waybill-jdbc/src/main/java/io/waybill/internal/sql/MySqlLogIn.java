package io.waybill.internal.sql;

import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;

/**
 * Log-ins by MariaDB's driver to a MySQL, whose users have {@code caching_sha2_password}: their
 * password is sent through TLS to a server that is known, or under the server's public key. What
 * the driver refuses by itself gets a remedy; what the server refuses stays as it is.
 *
 * @param url JDBC URL
 * @param properties what the driver gets beside it
 */
public record MySqlLogIn(String url, Properties properties) {
  private static final String VERIFY =
      "sslMode=verify-ca with serverSslCert=<copy of the server's ca.pem>";

  /** Class 28 is the standard's for authorization that is invalid. */
  private static final String REFUSED = "28000";

  /** What the driver says without a state of its own, and of passwords it may not send. */
  private static final String NO_STATE = "42000";

  private static final String NO_KEY = "S1009";
  private static final String NO_CLEAR_PASSWORD = "S1010";
  private static final Pattern KEYS =
      Pattern.compile("[?&](?:serverRsaPublicKeyFile|allowPublicKeyRetrieval)=");
  private static final Pattern HAS_PASSWORD =
      Pattern.compile("IDENTIFIED WITH 'caching_sha2_password' AS ");
  private static final int DEEPEST = 10;

  /** The same refusal, and what to set. */
  public SQLException explained(SQLException refused) {
    boolean server = refused.getErrorCode() > 0;
    String state = String.valueOf(refused.getSQLState());
    if (server) {
      return refused;
    }
    if (isOfTls(refused)) {
      return explained(
          "TLS to the server failed. With a certificate that MySQL made for itself, which has no"
              + " host names, set "
              + VERIFY
              + "; sslMode=verify-full needs one that was issued for the host",
          refused,
          state);
    }
    return switch (state) {
      case NO_KEY ->
          explained(has("serverRsaPublicKeyFile") ? unread() : remembered(), refused, REFUSED);
      case NO_STATE, NO_CLEAR_PASSWORD -> explained(unknown(), refused, REFUSED);
      default -> refused;
    };
  }

  /**
   * Whether a connection of MariaDB's driver was let in by what the server remembers of its user's
   * password: it has no TLS and no key to send the password under, so the same log-in fails after
   * the server's next start.
   */
  public static List<Finding> remembered(Connection connection) throws SQLException {
    DatabaseMetaData driver = connection.getMetaData();
    // Other drivers do not tell what they were given beside the URL.
    if (!driver.getDriverName().startsWith("MariaDB")
        || KEYS.matcher(driver.getURL()).find()
        || !text(connection, "show session status like 'Ssl_cipher'", 2).isEmpty()
        || !HAS_PASSWORD.matcher(text(connection, "show create user current_user()", 1)).find()) {
      return List.of();
    }
    return List.of(
        new Finding(
            Check.MYSQL_LOG_IN_REMEMBERED,
            "connections",
            "The relay's user has caching_sha2_password, and its connections have neither TLS nor the"
                + " server's public key: they work as long as the server remembers the password, and"
                + " fail after its next start",
            VERIFY + ", or serverRsaPublicKeyFile=<copy of the server's public_key.pem>"));
  }

  /** What a server, or a proxy that takes its part, does not show is passed over. */
  private static String text(Connection connection, String query, int column) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      return row.next() ? row.getString(column) : "";
    } catch (SQLException e) {
      if (e.getErrorCode() > 0) {
        return "";
      }
      throw e;
    }
  }

  private static String unread() {
    return "serverRsaPublicKeyFile must name a copy of the server's public_key.pem that can be read";
  }

  private static String remembered() {
    return "Without TLS the password is sent under the server's public key, unless the server"
        + " remembers this user since its start. Set "
        + VERIFY
        + ", or serverRsaPublicKeyFile=<copy of the server's public_key.pem>";
  }

  private static String unknown() {
    return "The server's certificate is not trusted here, so the password is not sent. Set "
        + VERIFY
        + "; or sslMode=trust, which trusts any server";
  }

  private boolean has(String property) {
    return properties.containsKey(property)
        || url.toLowerCase(Locale.ROOT).contains(property.toLowerCase(Locale.ROOT) + "=");
  }

  private static boolean isOfTls(SQLException refused) {
    Throwable cause = refused.getCause();
    for (int depth = 0; cause != null && depth < DEEPEST; depth++) {
      if (cause instanceof SSLException) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }

  private static SQLException explained(String remedy, SQLException refused, String state) {
    String said = String.valueOf(refused.getMessage()).replaceAll("\\s+", " ");
    return new SQLException(
        remedy + ". The driver says: " + said, state, refused.getErrorCode(), refused);
  }
}
