package io.waybill.torture.planted;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Hands everything on to the real driver. While a file is there, the next statement of whichever
 * thread removes it and throws what no database does: an {@link OutOfMemoryError} if the file says
 * {@code error}, else an {@link IllegalStateException}.
 */
final class FailingDriver implements Driver {
  private final Path file;

  FailingDriver(Path file) {
    this.file = file;
  }

  /** Of several threads the one that removes the file throws. */
  private @Nullable Throwable failure() throws IOException {
    if (!Files.exists(file)) {
      return null;
    }
    try {
      boolean error = Files.readString(file).equals("error");
      Files.delete(file);
      return error
          ? new OutOfMemoryError("thrown by the torture")
          : new IllegalStateException("thrown by the torture");
    } catch (NoSuchFileException e) {
      return null; // Another thread was faster, or it is too late.
    }
  }

  @Override
  public @Nullable Connection connect(String url, Properties info) throws SQLException {
    Driver real = real(url);
    Connection connection = real == null ? null : real.connect(url, info);
    return connection == null ? null : wrap(Connection.class, connection);
  }

  private @Nullable Driver real(String url) throws SQLException {
    for (Driver driver : DriverManager.drivers().toList()) {
      if (driver != this && driver.acceptsURL(url)) {
        return driver;
      }
    }
    return null;
  }

  private <T> T wrap(Class<T> type, T real) {
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          if (method.getName().startsWith("execute")) {
            Throwable failure = failure();
            if (failure != null) {
              throw failure;
            }
          }
          try {
            Object result = method.invoke(real, arguments);
            return result instanceof PreparedStatement statement
                ? wrap(PreparedStatement.class, statement)
                : result;
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        };
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader() == null
                ? FailingDriver.class.getClassLoader()
                : type.getClassLoader(),
            new Class<?>[] {type},
            handler));
  }

  @Override
  public boolean acceptsURL(String url) throws SQLException {
    return real(url) != null;
  }

  @Override
  public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) {
    return new DriverPropertyInfo[0];
  }

  @Override
  public int getMajorVersion() {
    return 1;
  }

  @Override
  public int getMinorVersion() {
    return 0;
  }

  @Override
  public boolean jdbcCompliant() {
    return false;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException();
  }
}
