package io.waybill.torture;

import io.waybill.torture.planted.ConsumerBug;
import io.waybill.torture.planted.PlantedBug;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What to run.
 *
 * @param pair database and broker
 * @param consumers whether consumers are under torture, else relays
 * @param notification whether the outbox is the notification outbox, else the own one
 * @param seed chooses faults, transactions and settings
 * @param length how long events are written under faults and quiet
 * @param rate events per second that the writers aim at
 * @param json whether the last line is one JSON object
 * @param keep folder under which a failed run is kept
 * @param bug what the relays do wrong on purpose, usually nothing
 * @param consumerBug what the consumers do wrong on purpose, usually nothing
 * @param faults the only kinds that happen; all of them if there are none
 */
record TortureOptions(
    Pair pair,
    boolean consumers,
    boolean notification,
    long seed,
    Duration length,
    int rate,
    boolean json,
    Path keep,
    @Nullable PlantedBug bug,
    @Nullable ConsumerBug consumerBug,
    Set<FaultKind> faults) {
  static final String USAGE =
      """
      usage: torture [--consumers] [--minutes N] [--pair PAIR] [--layout LAYOUT] [--seed S] [--rate R] [--keep FOLDER] [--bug NAME] [--faults KINDS] [--json]
        --consumers  consumers with an inbox are under torture, not relays
        --minutes  how long, for example 10 or 1.5 (default 3)
        --pair     postgresql-kafka (default), postgresql-rabbitmq, mariadb-kafka, mariadb-rabbitmq or mysql-kafka
        --layout   waybill (default), or notification: that of a notification system, on RabbitMQ
        --seed     chooses faults and transactions (default: from the clock; it is printed)
        --rate     events per second (default 300, of consumers 100)
        --keep     folder for what a failed run leaves (default /tmp/waybill-torture)
        --bug      plants a bug in the relays or consumers, which has to be found, for example mark-before-confirm
        --faults   the only kinds of faults, separated by commas, for example queue-full,relay-kill (default: all)
        --json     the last line is one JSON object""";

  static TortureOptions parse(String... args) {
    Pair pair = Pair.POSTGRESQL_KAFKA;
    boolean consumers = false;
    boolean notification = false;
    long seed = System.currentTimeMillis() % 1_000_000;
    double minutes = 3;
    Integer rate = null;
    boolean json = false;
    Path keep = Path.of(System.getProperty("java.io.tmpdir"), "waybill-torture");
    String bug = null;
    Set<FaultKind> faults = EnumSet.noneOf(FaultKind.class);
    for (int i = 0; i < args.length; i++) {
      switch (args[i]) {
        case "--pair" -> pair = Pair.of(value(args, i++));
        case "--consumers" -> consumers = true;
        case "--layout" -> notification = layout(value(args, i++));
        case "--seed" -> seed = number(args, i++).longValue();
        case "--minutes" -> minutes = number(args, i++).doubleValue();
        case "--rate" -> rate = number(args, i++).intValue();
        case "--keep" -> keep = Path.of(value(args, i++));
        case "--bug" -> bug = value(args, i++);
        case "--faults" ->
            Arrays.stream(value(args, i++).split(",")).map(FaultKind::of).forEach(faults::add);
        case "--json" -> json = true;
        default -> throw new IllegalArgumentException("unknown option " + args[i]);
      }
    }
    Duration length = Duration.ofMillis((long) (minutes * 60_000));
    return new TortureOptions(
        pair,
        consumers,
        notification,
        seed,
        length,
        rate != null ? rate : consumers ? 100 : 300,
        json,
        keep,
        consumers || bug == null ? null : PlantedBug.of(bug),
        consumers && bug != null ? ConsumerBug.of(bug) : null,
        Set.copyOf(faults));
  }

  TortureOptions {
    if (length.compareTo(Duration.ofSeconds(30)) < 0 || length.compareTo(Duration.ofDays(7)) > 0) {
      throw new IllegalArgumentException(
          "--minutes must be from 0.5 to 10080, is " + length.toMillis() / 60_000.0);
    }
    // Slower ones do not have the 300 events of the start within the time that it has.
    if (rate < 5 || rate > 100_000) {
      throw new IllegalArgumentException("--rate must be from 5 to 100000, is " + rate);
    }
    if (notification && pair.kafka()) {
      throw new IllegalArgumentException(
          "--layout notification needs a pair with rabbitmq, has " + pair.label());
    }
    if (consumers && notification) {
      throw new IllegalArgumentException("--layout is one of relays, not of --consumers");
    }
    if (notification && bug != null) {
      throw new IllegalArgumentException("--bug needs --layout waybill, has notification");
    }
    if (notification && faults.contains(FaultKind.ROWS_BY_SQL)) {
      throw new IllegalArgumentException(
          "--faults rows-by-sql needs --layout waybill, has notification");
    }
    for (FaultKind kind : faults) {
      if (!kind.concerns(consumers ? Role.CONSUMER : Role.RELAY)) {
        throw new IllegalArgumentException(
            "--faults %s happens to %s only"
                .formatted(kind.label(), (consumers ? Role.RELAY : Role.CONSUMER).all()));
      }
      if (!kind.needs().map(pair.label()::contains).orElse(true)) {
        throw new IllegalArgumentException(
            "--faults %s needs a pair with %s, has %s"
                .formatted(kind.label(), kind.needs().orElseThrow(), pair.label()));
      }
    }
  }

  private static String value(String[] args, int option) {
    if (option + 1 == args.length) {
      throw new IllegalArgumentException(args[option] + " needs a value");
    }
    return args[option + 1];
  }

  private static BigDecimal number(String[] args, int option) {
    String text = value(args, option);
    try {
      return new BigDecimal(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(args[option] + " must be a number, is '" + text + "'", e);
    }
  }

  private static boolean layout(String name) {
    return switch (name) {
      case "waybill" -> false;
      case "notification" -> true;
      default ->
          throw new IllegalArgumentException(
              "--layout must be waybill or notification, is '" + name + "'");
    };
  }
}
