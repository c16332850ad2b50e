package io.waybill.rabbitmq;

import com.rabbitmq.client.Address;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.DefaultSaslConfig;
import com.rabbitmq.client.SocketConfigurators;
import com.rabbitmq.client.impl.AMQConnection;
import com.rabbitmq.client.impl.DefaultExceptionHandler;
import io.waybill.rabbitmq.internal.send.CorkedSocketFactory;
import io.waybill.rabbitmq.internal.send.PublishWindow;
import io.waybill.rabbitmq.internal.send.Session;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens connections for one link. */
final class Connector {
  private static final Logger LOG = LoggerFactory.getLogger(Connector.class);

  private final RabbitPublisherConfig config;
  private final ConnectionFactory factory = new ConnectionFactory();
  private final List<Address> addresses;
  private volatile @Nullable Socket latest;
  private volatile boolean closed;

  Connector(RabbitPublisherConfig config) {
    this.config = config;
    this.addresses = config.addresses().stream().map(Address::parseAddress).toList();
    configureBasics();
    configureTimeouts();
    configureSockets();
  }

  /** Opens a connection. Blocks within the configured limits. */
  Session open(PublishWindow publishWindow) throws IOException, TimeoutException {
    String name = config.clientProperties().getOrDefault("connection_name", "waybill");
    Connection connection = factory.newConnection(addresses, name);
    Socket socket = latest;
    try {
      if (socket == null) {
        throw new IOException("the client library did not open a socket");
      }
      return new Session(connection, socket, publishWindow, config.window());
    } catch (IOException | RuntimeException e) {
      connection.abort((int) config.connectTimeout().toMillis());
      throw e;
    }
  }

  /** Opens a connection for declarations and checks. */
  Connection openPlain() throws IOException, TimeoutException {
    return open("waybill-checks");
  }

  /** Opens a connection that shows the name. */
  Connection open(String name) throws IOException, TimeoutException {
    return factory.newConnection(addresses, name);
  }

  /** Breaks off an attempt to connect that may be under way, and all later ones. */
  void close() {
    closed = true;
    Socket socket = latest;
    if (socket != null) {
      closeQuietly(socket);
    }
  }

  private void configureBasics() {
    factory.setVirtualHost(config.virtualHost());
    factory.setAutomaticRecoveryEnabled(false);
    factory.setTopologyRecoveryEnabled(false);
    factory.setExceptionHandler(new QuietExceptionHandler());
    factory.setThreadFactory(Connector::daemon);
    if (config.credentials() instanceof RabbitCredentials.Password password) {
      factory.setUsername(password.username());
      factory.setPassword(password.password());
      factory.setSaslConfig(DefaultSaslConfig.PLAIN);
    } else {
      factory.setSaslConfig(DefaultSaslConfig.EXTERNAL);
    }
    Map<String, Object> properties = new HashMap<>(AMQConnection.defaultClientProperties());
    properties.putAll(config.clientProperties());
    factory.setClientProperties(properties);
  }

  private void configureTimeouts() {
    int millis = (int) config.connectTimeout().toMillis();
    factory.setConnectionTimeout(millis);
    factory.setHandshakeTimeout(millis);
    factory.setChannelRpcTimeout(millis);
    factory.setShutdownTimeout((int) Duration.ofSeconds(1).toMillis());
    factory.setRequestedHeartbeat((int) config.heartbeat().toSeconds());
  }

  private void configureSockets() {
    SocketConfigurators.Builder sockets = SocketConfigurators.builder().defaultConfigurator();
    RabbitTls tls = config.tls();
    if (tls == null) {
      factory.setSocketFactory(new CorkedSocketFactory());
    } else {
      factory.useSslProtocol(tls.context());
      if (tls.verifyHostname()) {
        sockets.enableHostnameVerification();
      }
      sockets.add(tls::restrict);
    }
    factory.setSocketConfigurator(sockets.add(this::remember).build());
  }

  private void remember(Socket socket) throws IOException {
    latest = socket;
    if (closed) {
      closeQuietly(socket);
      throw new IOException("this client is closed");
    }
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      LOG.debug("Closing a socket failed; the attempt to connect ends by its timeout.", e);
    }
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "waybill-rabbit-client");
    thread.setDaemon(true);
    return thread;
  }

  /** The link tells what a broken connection means; the library need not. */
  private static final class QuietExceptionHandler extends DefaultExceptionHandler {
    @Override
    public void handleUnexpectedConnectionDriverException(Connection connection, Throwable error) {
      LOG.debug("Connection failed; its link opens a new one.", error);
    }
  }
}
