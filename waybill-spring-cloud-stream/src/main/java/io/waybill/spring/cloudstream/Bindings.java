package io.waybill.spring.cloudstream;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.stream.binder.BinderFactory;
import org.springframework.cloud.stream.binder.HeaderMode;
import org.springframework.cloud.stream.binder.ProducerProperties;
import org.springframework.cloud.stream.binding.BindingService;
import org.springframework.cloud.stream.config.BindingServiceProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.messaging.MessageChannel;

/**
 * Which bindings can confirm. Spring Cloud Stream is asked about one binding at a time, since its
 * map of them is not made for several threads. Thread-safe.
 */
final class Bindings {
  private final ApplicationContext context;
  private final BinderFactory factory;
  private final BindingServiceProperties properties;
  private final BindingService service;
  private final Binders all;
  private final Map<String, Optional<String>> known = new ConcurrentHashMap<>();
  private volatile @Nullable BinderKind standard;

  Bindings(
      ApplicationContext context,
      BinderFactory factory,
      BindingServiceProperties properties,
      BindingService service,
      Binders all) {
    this.context = context;
    this.factory = factory;
    this.properties = properties;
    this.service = service;
    this.all = all;
  }

  /**
   * The kind of the default binder.
   *
   * @throws IllegalStateException if there is none, or it does not confirm
   */
  BinderKind byDefault() {
    BinderKind found = standard;
    return found == null ? find() : found;
  }

  private synchronized BinderKind find() {
    BinderKind found = standard;
    if (found == null) {
      found = all.kind(factory, null);
      standard = found;
    }
    return found;
  }

  /** Why sends to a binding can't be confirmed, with what mends it; null if they can be. */
  synchronized @Nullable String unconfirmed(String binding) {
    if (context.containsBean(binding) && !context.isTypeMatch(binding, MessageChannel.class)) {
      return "'" + binding + "' names a bean that is not a channel, but StreamBridge would use it";
    }
    if (Arrays.asList(service.getConsumerBindingNames()).contains(binding)) {
      return "binding '" + binding + "' is an input: messages sent to it never reach the broker";
    }
    BinderKind kind;
    try {
      kind = all.kind(factory, properties.getBinder(binding));
    } catch (IllegalStateException e) {
      return e.getMessage();
    }
    if (kind != byDefault()) {
      return "binding '"
          + binding
          + "': its binder is not the default one, which Waybill follows; remove"
          + " spring.cloud.stream.bindings."
          + binding
          + ".binder";
    }
    return unconfirmed(kind, binding);
  }

  private @Nullable String unconfirmed(BinderKind kind, String binding) {
    ProducerProperties producer = properties.getProducerProperties(binding);
    String key = "spring.cloud.stream.bindings." + binding + ".producer.";
    if (producer.isUseNativeEncoding()) {
      return "binding '" + binding + "' does not take bytes; remove " + key + "use-native-encoding";
    }
    HeaderMode headers = producer.getHeaderMode();
    if (headers != null && headers != HeaderMode.headers) {
      return "binding '" + binding + "' leaves headers out; remove " + key + "header-mode";
    }
    return kind.unconfirmed(binding, properties.getBindingDestination(binding));
  }

  /**
   * The same, looked at once. Not for the start, when the bindings of consumers are not made yet.
   */
  @Nullable String unconfirmedOnce(String binding) {
    Optional<String> found = known.get(binding);
    if (found == null) {
      found = Optional.ofNullable(unconfirmed(binding));
      known.put(binding, found);
    }
    return found.orElse(null);
  }
}
