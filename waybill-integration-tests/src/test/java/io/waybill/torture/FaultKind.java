package io.waybill.torture;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** What can go wrong. */
enum FaultKind {
  RELAY_KILL(Place.RELAY),
  RELAY_FREEZE(Place.RELAY),
  /**
   * The next call of one of its threads throws an error or an exception that no database throws.
   */
  RELAY_FAILURE(Place.RELAY),
  /** A graceful stop, which is no cause of anything. */
  RELAY_STOP(Place.RELAY),
  /**
   * The relay's time of day jumps by up to 15 minutes, there and back, which must change nothing.
   */
  RELAY_CLOCK(Place.RELAY_CLOCK),
  /**
   * The connection that holds the lock of a relay's session: it is taken back, and no lane moves.
   */
  LOCK_ENDED(Place.RELAY),
  CONSUMER_KILL(Place.CONSUMER),
  CONSUMER_FREEZE(Place.CONSUMER),
  /** A graceful stop, which is no cause of anything but that lanes move. */
  CONSUMER_STOP(Place.CONSUMER),
  /** A new version of the handlers, one consumer after the other: some events fail no more. */
  CONSUMER_DEPLOY(Place.CONSUMERS),
  /** A topic gets more partitions while its events wait. */
  TOPIC_GROWN(Place.TOPIC),
  /** A topic is deleted and made anew when all that was in it has been acknowledged. */
  TOPIC_REMADE(Place.TOPIC),
  DATABASE_KILL(Place.DATABASE),
  DATABASE_FREEZE(Place.DATABASE),
  /** There is no room left on the disk that it writes to. */
  DATABASE_FULL(Place.DATABASE),
  /** It is put back to a copy of some seconds before, while relays run. */
  DATABASE_SET_BACK(Place.DATABASE),
  /** It is killed, and a standby takes over that has all that was committed. */
  DATABASE_FAIL_OVER(Place.DATABASE),
  /** It takes no changes, as in a planned switch-over, and then cuts all connections. */
  DATABASE_READ_ONLY(Place.DATABASE),
  BROKER_KILL(Place.BROKER),
  BROKER_FREEZE(Place.BROKER),
  /** It raises its memory alarm. */
  BROKER_ALARM(Place.BROKER),
  /** It takes its disk for full, and raises its disk alarm. */
  BROKER_FULL(Place.BROKER),
  /** Everything is swallowed in both directions. */
  DATABASE_HOLE(Place.DATABASE_LINK),
  BROKER_HOLE(Place.BROKER_LINK),
  /** Late, and at most 200 KB a second. */
  DATABASE_SLOW(Place.DATABASE_LINK),
  BROKER_SLOW(Place.BROKER_LINK),
  /** Reset, and refused for a while. */
  DATABASE_RESET(Place.DATABASE_LINK),
  BROKER_RESET(Place.BROKER_LINK),
  /** One reply to a commit, of a relay. */
  COMMIT_REPLY_LOST(Place.DATABASE_LINK),
  /** One {@code basic.ack} or answer to a Produce request. */
  CONFIRM_LOST(Place.BROKER_LINK),
  /** One reply to a commit, of a writer: no cause of anything that relays do. */
  WRITER_COMMIT_REPLY_LOST(Place.WRITERS_LINK),
  /** One queue is full and takes nothing more ({@code reject-publish}). */
  QUEUE_FULL(Place.DESTINATION),
  /** One exchange of several is deleted. */
  EXCHANGE_MISSING(Place.DESTINATION),
  /** One routing key of an exchange leads nowhere, others do. */
  BINDING_MISSING(Place.DESTINATION),
  /** One topic is deleted. */
  TOPIC_MISSING(Place.DESTINATION),
  /** The relays may not write to one exchange or topic. */
  ACCESS_REFUSED(Place.DESTINATION),
  /** People delete, mark, change and set back rows that wait, are held, parked or published. */
  ROWS_BY_SQL(Place.PEOPLE),
  /** Events that were created long ago go to a topic that deletes by time. */
  OLD_EVENTS(Place.WRITERS);

  /** Where it happens. */
  enum Place {
    RELAY,
    RELAY_CLOCK,
    CONSUMER,
    CONSUMERS,
    TOPIC,
    DATABASE,
    BROKER,
    DATABASE_LINK,
    BROKER_LINK,
    WRITERS_LINK,
    DESTINATION,
    PEOPLE,
    WRITERS
  }

  private static final Duration SOCKET_LIMIT = Duration.ofSeconds(15);

  private final Place place;

  FaultKind(Place place) {
    this.place = place;
  }

  Place place() {
    return place;
  }

  /** Whether it counts as a fault. */
  boolean isFault() {
    return this != RELAY_STOP && this != CONSUMER_STOP;
  }

  /** Whether it can happen to processes of a role. */
  boolean concerns(Role role) {
    return switch (place) {
      case RELAY, RELAY_CLOCK, WRITERS_LINK, DESTINATION, PEOPLE, WRITERS -> role == Role.RELAY;
      case CONSUMER, CONSUMERS, TOPIC -> role == Role.CONSUMER;
      case DATABASE -> this != DATABASE_READ_ONLY || role == Role.CONSUMER;
      case BROKER, DATABASE_LINK, BROKER_LINK -> true;
    };
  }

  /** Whether a destination refuses what is sent to it, for a minute or more. */
  boolean isRefusal() {
    return place == Place.DESTINATION;
  }

  /** Whether it lasts beside the others, once in each span, and is no cause while it lasts. */
  boolean isBeside() {
    return isRefusal() || this == ROWS_BY_SQL || this == OLD_EVENTS;
  }

  /** Whether it can be the cause of a duplicate, an ERROR line or the end of a relay. */
  boolean isCause() {
    return isFault()
        && this != CONSUMER_DEPLOY
        && this != RELAY_CLOCK
        && this != WRITER_COMMIT_REPLY_LOST
        && this != ROWS_BY_SQL
        && this != OLD_EVENTS;
  }

  /**
   * How long it goes on after its end: a relay whose reply was dropped misses it when the time
   * limit of its socket is over, and settles nothing before.
   */
  Duration aftermath() {
    return this == COMMIT_REPLY_LOST ? SOCKET_LIMIT : Duration.ZERO;
  }

  boolean isKill() {
    return this == RELAY_KILL
        || this == CONSUMER_KILL
        || this == DATABASE_KILL
        || this == DATABASE_FAIL_OVER
        || this == BROKER_KILL;
  }

  /** The server of a pair without which it cannot happen. */
  Optional<String> needs() {
    return switch (this) {
      case DATABASE_FAIL_OVER -> Optional.of("postgresql");
      case TOPIC_MISSING, OLD_EVENTS, TOPIC_GROWN, TOPIC_REMADE -> Optional.of("kafka");
      case BROKER_ALARM, BROKER_FULL, QUEUE_FULL, EXCHANGE_MISSING, BINDING_MISSING ->
          Optional.of("rabbitmq");
      default -> Optional.empty();
    };
  }

  /**
   * The kind of a name as people write it.
   *
   * @throws IllegalArgumentException naming all there are, if there is none of that name
   */
  static FaultKind of(String label) {
    return Arrays.stream(values())
        .filter(kind -> kind.label().equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "--faults must be of %s, is '%s'"
                        .formatted(
                            Arrays.stream(values())
                                .map(FaultKind::label)
                                .collect(Collectors.joining(", ")),
                            label)));
  }

  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
