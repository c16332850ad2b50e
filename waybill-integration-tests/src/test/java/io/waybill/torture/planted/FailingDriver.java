package io.waybill.torture.planted;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Hands everything on to the real driver. When a file comes, the next statement of whichever thread
 * throws what no database does: an {@link OutOfMemoryError} if the file says {@code error}, else a
 * {@link IllegalStateException}.
 */
final class FailingDriver implements Driver {
  private static final Duration LOOKS_EVERY = Duration.ofMillis(100);

  private final AtomicReference<@Nullable Throwable> next = new AtomicReference<>();

  private FailingDriver() {}

  static FailingDriver watching(Path file) {
    FailingDriver driver = new FailingDriver();
    Thread watch = new Thread(() -> driver.watch(file), "torture-failures");
    watch.setDaemon(true);
    watch.start();
    return driver;
  }

  private void watch(Path file) {
    try {
      while (true) {
        Thread.sleep(LOOKS_EVERY.toMillis());
        if (Files.exists(file)) {
          boolean error = Files.readString(file).equals("error");
          Files.delete(file);
          next.set(
              error
                  ? new OutOfMemoryError("thrown by the torture")
                  : new IllegalStateException("thrown by the torture"));
        }
      }
    } catch (InterruptedException | IOException e) {
      throw new IllegalStateException(e);
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
            Throwable failure = next.getAndSet(null);
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
