package io.waybill.bench.rival;

import io.waybill.bench.child.SteadyLoad;
import io.waybill.bench.measure.Settings;
import java.util.Map;

/** Another system that carries events from a table to Kafka. One per class path. */
public interface Rival {
  /**
   * Its settings, as it names them.
   *
   * @param tuned as its documentation advises for throughput and latency; otherwise what differs
   *     from its defaults because it has to, such as addresses, is all there is
   * @return values by name, in the order of reports
   */
  Map<String, String> settings(boolean tuned);

  /**
   * Creates its tables and fills them with a backlog in exactly the form in which its own API
   * writes.
   *
   * @param task database, number of events and keys
   * @throws Exception when that fails
   */
  void prepare(Task task) throws Exception;

  /**
   * Starts the relay.
   *
   * @param task database, broker and destination
   * @param deliveries told of every event that the broker has confirmed
   * @return the running relay
   * @throws Exception when it does not start
   */
  Running start(Task task, Deliveries deliveries) throws Exception;

  /** A relay that runs. */
  interface Running extends AutoCloseable {
    /**
     * Its own API for writing an event in a transaction, in the relay's process.
     *
     * @return for one thread
     * @throws Exception when it cannot be opened
     */
    SteadyLoad.Append append() throws Exception;

    /** Ends the relay, and returns when it has ended or a few seconds have passed. */
    @Override
    void close();
  }

  /**
   * What a process is told.
   *
   * @param settings all of it
   */
  record Task(Settings settings) {
    /**
     * The database.
     *
     * @return JDBC URL
     */
    public String database() {
      return settings.text("database");
    }

    /**
     * The broker.
     *
     * @return bootstrap server
     */
    public String broker() {
      return settings.text("address");
    }

    /**
     * Where events go.
     *
     * @return topic
     */
    public String topic() {
      return settings.text("destination");
    }

    /**
     * Size of the backlog.
     *
     * @return number of events
     */
    public long events() {
      return settings.number("events");
    }

    /**
     * Keys of the backlog, which take turns.
     *
     * @return number of keys
     */
    public int keys() {
      return (int) settings.number("keys");
    }

    /**
     * Whether it is tuned.
     *
     * @return false for defaults
     */
    public boolean tuned() {
      return Boolean.parseBoolean(settings.text("tuned"));
    }
  }
}
