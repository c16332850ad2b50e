package io.waybill.spring.autoconfigure;

import io.waybill.admin.Admin;
import io.waybill.broker.Broker;
import io.waybill.database.ConnectionFactory;
import io.waybill.database.DatabaseKind;
import io.waybill.database.OnPublished;
import io.waybill.database.OutboxTables;
import io.waybill.internal.start.RelayDefinition;
import io.waybill.internal.start.StartChecks;
import io.waybill.layout.Layout;
import io.waybill.layout.Layouts;
import io.waybill.message.Destination;
import io.waybill.message.EventLimits;
import io.waybill.observe.RelayListener;
import io.waybill.outbox.Outbox;
import io.waybill.spring.LateRelaySignal;
import io.waybill.spring.SpringOutbox;
import io.waybill.spring.internal.broker.Brokers;
import io.waybill.spring.internal.broker.OutboxRoute;
import io.waybill.spring.internal.broker.OutboxRoutes;
import io.waybill.spring.internal.database.DataSources;
import io.waybill.spring.internal.database.OutboxDatabase;
import io.waybill.spring.internal.database.OwnConnections;
import io.waybill.spring.internal.database.RelayConnections;
import io.waybill.spring.internal.keys.BrokerContext;
import io.waybill.spring.internal.keys.ConfigChecks;
import io.waybill.spring.internal.keys.ConfiguredOutbox;
import io.waybill.spring.internal.keys.Outboxes;
import io.waybill.spring.internal.keys.Problems;
import io.waybill.spring.internal.keys.TableLayout;
import io.waybill.spring.properties.OutboxProperties;
import io.waybill.spring.properties.WaybillProperties;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;
import org.springframework.context.ApplicationContext;
import org.springframework.util.function.SingletonSupplier;

/** Makes the beans of each outbox; {@link OutboxRegistrar} registers them. */
class OutboxFactory {
  private static final Duration USUAL_RETENTION = Duration.ofDays(7);

  private final WaybillProperties properties;
  private final Outboxes outboxes;
  private final ApplicationContext context;

  OutboxFactory(WaybillProperties properties, Outboxes outboxes, ApplicationContext context) {
    this.properties = properties;
    this.outboxes = outboxes;
    this.context = context;
  }

  /** Tables in a database of the application. */
  OutboxDatabase database(String name) {
    ConfiguredOutbox outbox = outboxes.get(name);
    DataSource source =
        DataSources.of(context, outbox.properties().dataSource(), outbox.key("data-source"));
    List<DataSourcePoolMetadataProvider> known =
        context.getBeanProvider(DataSourcePoolMetadataProvider.class).orderedStream().toList();
    ConnectionFactory connections =
        RelayConnections.of(source, properties.relay().enabled() ? known : List.of())
            .behind(outbox.properties().database().pooler());
    return OutboxDatabase.open(outbox, source, connections, layout(name));
  }

  /** Wakes the relay of this process after commits. */
  LateRelaySignal relaySignal(String name) {
    return new LateRelaySignal();
  }

  /** What the application writes with. */
  SpringOutbox outbox(String name) {
    OutboxDatabase database = bean(name, OutboxBean.DATABASE, OutboxDatabase.class);
    LateRelaySignal relaySignal = bean(name, OutboxBean.RELAY_SIGNAL, LateRelaySignal.class);
    Outbox outbox = new Outbox(database.tables().append(), EventLimits.ofDefaults(), relaySignal);
    Observations observations = Observations.of(context);
    return observations.around(
        SpringOutbox.joining(database.source(), outbox, observations.traces()));
  }

  /** The relay of this process. */
  RelayLifecycle relay(String name) {
    ConfiguredOutbox outbox = outboxes.get(name);
    OutboxRoute route = context.getBean(OutboxRoutes.class).get(name);
    route.broker().require(route.settings().relayRoutes().templates());
    Layout layout = TableLayout.of(outbox, layout(name), null);
    Observations observations = Observations.of(context);
    RelayDefinition definition =
        route.definition(
            outbox,
            tables(name, outbox),
            observations::around,
            retention(outbox.properties(), layout),
            properties.relay(),
            listener(name));
    RelayLifecycle relay =
        new RelayLifecycle(
            ConfigChecks.of(outboxes, outbox, definition, this::layout),
            () -> broker(name),
            properties.relay().phase(),
            bean(name, OutboxBean.RELAY_SIGNAL, LateRelaySignal.class),
            definition.health(),
            context.getBeanProvider(RelayFailureHandler.class).getIfUnique());
    route.context().onRenewal(relay::renew);
    return relay;
  }

  /** What operators see and ask for, by outbox; each has a connection of its own. */
  Map<String, Supplier<Admin>> admins() {
    Map<String, Supplier<Admin>> admins = new LinkedHashMap<>();
    for (ConfiguredOutbox outbox : outboxes.all()) {
      Supplier<OutboxTables> tables = asTheyAre(outbox);
      admins.put(outbox.name(), () -> tables.get().admin());
    }
    return admins;
  }

  private Supplier<OutboxTables> asTheyAre(ConfiguredOutbox outbox) {
    return outbox.relayedOnly() ? unchanged(outbox) : tables(outbox.name(), outbox);
  }

  /** The checks before a relay starts; they change nothing. */
  StartChecks checks(String name) {
    ConfiguredOutbox outbox = outboxes.get(name);
    RelayDefinition definition =
        route(name)
            .definition(
                outbox,
                asTheyAre(outbox),
                (publisher, client) -> publisher,
                null,
                properties.relay(),
                RelayListener.NONE);
    return ConfigChecks.of(outboxes, outbox, definition, this::layout);
  }

  /** The broker as it is configured now; nothing is connected. */
  Broker broker(String name) {
    ConfiguredOutbox outbox = outboxes.get(name);
    Layout layout = TableLayout.of(outbox, layout(name), null);
    return Brokers.of(outbox, layout, properties, BrokerContext.of(context));
  }

  /** The destinations of the routes, with fields of templates in braces. */
  List<Destination> destinations(String name) {
    return route(name).settings().relayRoutes().all();
  }

  private OutboxRoute route(String name) {
    Problems problems = new Problems();
    OutboxRoute route =
        OutboxRoutes.route(
            outboxes.get(name), layout(name), properties, problems, BrokerContext.of(context));
    problems.throwIfAny();
    return route;
  }

  /** Tables as they are: who looks at them creates none. */
  private Supplier<OutboxTables> unchanged(ConfiguredOutbox outbox) {
    ConnectionFactory connections = OwnConnections.of(outbox, BrokerContext.of(context));
    AtomicReference<@Nullable OutboxTables> known = new AtomicReference<>();
    return () -> {
      // No lock: those who ask while the database is away do not wait for each other.
      OutboxTables tables = known.get();
      if (tables == null) {
        DatabaseKind kind = DatabaseKind.of(connections);
        tables = OutboxDatabase.open(outbox, connections, kind, layout(outbox.name()));
        known.set(tables);
      }
      return tables;
    };
  }

  private Supplier<OutboxTables> tables(String name, ConfiguredOutbox outbox) {
    if (outbox.relayedOnly()) {
      // Kept once they are there; a database that is away is asked again.
      ConnectionFactory connections = OwnConnections.of(outbox, BrokerContext.of(context));
      return SingletonSupplier.of(() -> OutboxDatabase.open(outbox, connections, layout(name)));
    }
    return bean(name, OutboxBean.DATABASE, OutboxDatabase.class)::tables;
  }

  /** An adopted table belongs to somebody else: nothing is removed unless that is asked for. */
  private static @Nullable Duration retention(OutboxProperties properties, Layout layout) {
    if (!Layouts.isOwn(layout)) {
      return properties.retention();
    }
    return properties.onPublished() == OnPublished.KEEP
        ? Objects.requireNonNullElse(properties.retention(), USUAL_RETENTION)
        : null;
  }

  private RelayListener listener(String name) {
    List<RelayListener> all =
        new ArrayList<>(context.getBeanProvider(RelayListener.class).orderedStream().toList());
    context.getBeanProvider(RelayMeters.class).ifUnique(meters -> all.add(meters.of(name)));
    return RelayListener.all(all);
  }

  private @Nullable Layout layout(String name) {
    return layout(context, name, outboxes.all().size() == 1);
  }

  /** A layout of one's own: the bean that has the outbox's name, or the only one there is. */
  static @Nullable Layout layout(ApplicationContext context, String name, boolean only) {
    if (context.containsBean(name) && context.isTypeMatch(name, Layout.class)) {
      return context.getBean(name, Layout.class);
    }
    return only ? context.getBeanProvider(Layout.class).getIfUnique() : null;
  }

  private <T> T bean(String name, OutboxBean bean, Class<T> type) {
    return context.getBean(bean.of(name, outboxes.get(name).single()), type);
  }
}
