package io.waybill.it;

import io.waybill.Preset;
import io.waybill.RelayBuilder;
import io.waybill.StartRefusedException;
import io.waybill.Waybill;
import io.waybill.broker.Broker;
import io.waybill.database.ConnectionFactory;
import io.waybill.database.TimeRange;
import io.waybill.kafka.KafkaBroker;
import io.waybill.policy.EngineSettings;
import io.waybill.rabbitmq.RabbitBroker;
import io.waybill.rabbitmq.RabbitPublisherConfig;
import io.waybill.server.relay.RelayProcess;
import io.waybill.spring.autoconfigure.RelayLifecycle;
import io.waybill.spring.internal.standalone.StandaloneOutboxes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** How a relay is described and started. */
enum Door {
  PLAIN_JAVA {
    @Override
    Running start(Wish wish, Path folder) {
      RelayBuilder relay =
          Waybill.relay("doors")
              .outbox(ConnectionFactory.postgres(wish.url(), new Properties()))
              .preset(wish.preset())
              .broker(wish.reach().broker())
              .source("doors")
              .settings(bounds -> wish.lease() == null ? bounds : leased(bounds, wish.lease()));
      if (wish.target() != null) {
        relay.route(wish.target());
      }
      if (wish.retention() != null) {
        relay.retention(wish.retention());
      }
      if (wish.from() != null) {
        relay.table(table -> table.timeRange(new TimeRange(wish.from(), null)));
      }
      if (wish.listen()) {
        relay.notifications(Duration.ofMillis(10));
      }
      try {
        Waybill waybill = relay.start();
        return new Running(waybill::close, waybill.health()::unready);
      } catch (StartRefusedException e) {
        return new Running(() -> {}, () -> List.of(String.valueOf(e.getMessage())));
      }
    }
  },
  APPLICATION {
    @Override
    Running start(Wish wish, Path folder) {
      return application(
          Application.class,
          wish.keys().entrySet().stream()
              .map(key -> "waybill.outboxes.doors." + key.getKey() + "=" + key.getValue()));
    }
  },
  /** The keys of a single outbox, in the application's own database. */
  SHORT_KEYS {
    @Override
    Running start(Wish wish, Path folder) {
      return application(
          DatabaseApplication.class,
          Stream.concat(
              Stream.of("waybill.outbox.name=doors", "waybill.relay.name=doors"),
              wish.keys().entrySet().stream()
                  .map(key -> shortKey(key.getKey()) + "=" + key.getValue())));
    }
  },
  STANDALONE {
    @Override
    Running start(Wish wish, Path folder) {
      try {
        Path file = Files.createTempFile(folder, "waybill", ".yaml");
        String keys =
            wish.keys().entrySet().stream()
                .map(key -> "    " + key.getKey() + ": \"" + key.getValue() + "\"\n")
                .collect(Collectors.joining());
        Files.writeString(file, "server: {port: 0}\nwaybill:\n  outboxes.doors:\n" + keys);
        List<String> refusals = new CopyOnWriteArrayList<>();
        RelayProcess process =
            RelayProcess.start(
                StandaloneOutboxes.loader().load(file, Map.of()),
                () -> {},
                cause -> refusals.add(String.valueOf(cause.getMessage())));
        return new Running(
            process::stop,
            () -> refusals.isEmpty() ? readiness(process.port()) : List.copyOf(refusals));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  };

  private static final Set<String> BESIDE_THE_OUTBOX =
      Set.of("kafka", "rabbitmq", "routes", "failure", "limits");

  /** An application with nothing but an outbox that others write to. */
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
  static class Application {}

  /** An application with a database of its own. */
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class DatabaseApplication {}

  private static Running application(Class<?> type, Stream<String> properties) {
    ConfigurableApplicationContext context =
        new SpringApplicationBuilder(type)
            .web(WebApplicationType.NONE)
            .properties(properties.toArray(String[]::new))
            .run();
    return new Running(context::close, () -> context.getBean(RelayLifecycle.class).unready());
  }

  private static String shortKey(String key) {
    String section = key.split("[.]", 2)[0];
    if (section.equals("database")) {
      return "spring.datasource" + key.substring(section.length());
    }
    return (BESIDE_THE_OUTBOX.contains(section) ? "waybill." : "waybill.outbox.") + key;
  }

  /**
   * A relay.
   *
   * @param stops stops it
   * @param reasons why it does not run, or makes no progress
   */
  record Running(Runnable stops, Supplier<List<String>> reasons) implements AutoCloseable {
    List<String> unready() {
      return reasons.get();
    }

    @Override
    public void close() {
      stops.run();
    }
  }

  /**
   * A broker.
   *
   * @param broker as plain Java has it
   * @param keys as keys have it
   */
  record Reach(Broker broker, Map<String, String> keys) {
    static Reach kafka(String servers) {
      return new Reach(KafkaBroker.at(servers), Map.of("kafka.bootstrap-servers", servers));
    }

    static Reach rabbit(String address, String virtualHost) {
      RabbitPublisherConfig config =
          RabbitPublisherConfig.builder()
              .addresses(List.of(address))
              .virtualHost(virtualHost)
              .build();
      return new Reach(
          RabbitBroker.of(config),
          Map.of("rabbitmq.addresses", address, "rabbitmq.virtual-host", virtualHost));
    }
  }

  /**
   * What is asked for, at whatever door.
   *
   * @param url of the database
   * @param reach the broker
   * @param preset table
   * @param target topic, or null for the preset's
   * @param lease or null
   * @param retention or null
   * @param from begin of the time range, or null
   * @param listen whether commits elsewhere wake the relay
   */
  record Wish(
      String url,
      Reach reach,
      Preset preset,
      @Nullable String target,
      @Nullable Duration lease,
      @Nullable Duration retention,
      @Nullable Instant from,
      boolean listen) {
    static Wish of(String url, Reach reach, Preset preset) {
      return new Wish(url, reach, preset, null, null, null, null, false);
    }

    Wish to(String topic) {
      return new Wish(url, reach, preset, topic, lease, retention, from, listen);
    }

    Wish leased(Duration given) {
      return new Wish(url, reach, preset, target, given, retention, from, listen);
    }

    Wish kept(Duration age) {
      return new Wish(url, reach, preset, target, lease, age, from, listen);
    }

    Wish since(Instant begin) {
      return new Wish(url, reach, preset, target, lease, retention, begin, listen);
    }

    Wish listening() {
      return new Wish(url, reach, preset, target, lease, retention, from, true);
    }

    Map<String, String> keys() {
      Map<String, String> keys = new TreeMap<>();
      keys.put("database.url", url.replaceFirst("[?].*", ""));
      keys.put("database.username", "postgres");
      keys.putAll(reach.keys());
      keys.put("layout", preset.name().toLowerCase(Locale.ROOT).replace('_', '-'));
      keys.put("routes.source", "doors");
      if (target != null) {
        keys.put("routes.default.target", target);
      }
      if (lease != null) {
        keys.put("limits.lease", lease.toSeconds() + "s");
      }
      if (retention != null) {
        keys.put("retention", retention.toDays() + "d");
        if (preset == Preset.WAYBILL) {
          keys.put("on-published", "keep");
        }
      }
      if (from != null) {
        keys.put("time-range.from", from.toString());
      }
      if (listen) {
        keys.put("listen", "true");
      }
      return keys;
    }
  }

  /** Empty if it is ready. */
  private static List<String> readiness(int port) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/readyz")).build();
    try {
      HttpResponse<String> answer =
          HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
      return answer.statusCode() == 200 ? List.of() : List.of(answer.body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of("interrupted");
    }
  }

  private static EngineSettings leased(EngineSettings s, Duration lease) {
    return new EngineSettings(
        s.maxRows(),
        s.maxBytes(),
        s.settleBatch(),
        s.settleDelay(),
        s.polling(),
        lease,
        s.renewInterval(),
        s.viewInterval(),
        s.deliveryTimeout(),
        s.maxInFlight(),
        s.maxInFlightPerKey());
  }

  abstract Running start(Wish wish, Path folder);
}
