package io.waybill.route;

import io.waybill.message.EventLimits;
import io.waybill.message.Header;
import io.waybill.message.RecordTime;
import io.waybill.message.Violation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The destination of events of one type, as templates. Immutable.
 *
 * @param target Kafka topic or RabbitMQ exchange
 * @param routingKey RabbitMQ routing key; empty on Kafka
 * @param partition explicit Kafka partition, or null for the key's own
 * @param timestamp the time of a Kafka record
 * @param headers headers to add
 */
public record Route(
    Template target,
    Template routingKey,
    @Nullable Template partition,
    RecordTime timestamp,
    List<HeaderTemplate> headers) {
  /** Copies the list. */
  public Route {
    headers = List.copyOf(headers);
  }

  /**
   * A header that the route adds.
   *
   * @param name header name
   * @param value its value
   */
  public record HeaderTemplate(String name, Template value) {}

  /**
   * Starts building a route.
   *
   * @param target template of the Kafka topic or RabbitMQ exchange
   * @return a builder
   * @throws InvalidRouteException if the template is wrong
   */
  public static Builder to(String target) {
    return new Builder(Template.parse(target));
  }

  /** Collects the parts of a route; not thread-safe. */
  public static final class Builder {
    private final Template target;
    private final List<HeaderTemplate> headers = new ArrayList<>();
    private Template routingKey = Template.parse("");
    private @Nullable Template partition;
    private RecordTime timestamp = RecordTime.SENT;

    private Builder(Template target) {
      this.target = target;
    }

    /**
     * Sets the RabbitMQ routing key.
     *
     * @param template its template
     * @return this builder
     * @throws InvalidRouteException if the template is wrong
     */
    public Builder routingKey(String template) {
      routingKey = Template.parse(template);
      return this;
    }

    /**
     * Sets an explicit Kafka partition. The template must give the events of one key the same
     * partition.
     *
     * @param template its template: a number, or a field that holds one
     * @return this builder
     * @throws InvalidRouteException if the template is wrong
     */
    public Builder partition(String template) {
      partition = Template.parse(template);
      return this;
    }

    /**
     * Sets the time of a Kafka record; {@link RecordTime#SENT} by default.
     *
     * @param time the time
     * @return this builder
     */
    public Builder timestamp(RecordTime time) {
      timestamp = time;
      return this;
    }

    /**
     * Adds a header.
     *
     * @param name header name, as for events
     * @param template template of the value
     * @return this builder
     * @throws InvalidRouteException if the name may not be used or the template is wrong
     */
    public Builder header(String name, String template) {
      List<Violation> violations = EventLimits.violations(new Header(name, ""));
      if (!violations.isEmpty()) {
        throw new InvalidRouteException("Route header", name, violations.get(0).rule());
      }
      headers.add(new HeaderTemplate(name, Template.parse(template)));
      return this;
    }

    /**
     * Builds the route.
     *
     * @return the route
     */
    public Route build() {
      return new Route(target, routingKey, partition, timestamp, headers);
    }
  }
}
