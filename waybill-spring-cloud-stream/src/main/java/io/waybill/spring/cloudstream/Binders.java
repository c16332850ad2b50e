package io.waybill.spring.cloudstream;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.cloud.stream.binder.Binder;
import org.springframework.cloud.stream.binder.BinderFactory;
import org.springframework.cloud.stream.binder.DefaultBinderFactory;
import org.springframework.cloud.stream.binder.kafka.KafkaMessageChannelBinder;
import org.springframework.cloud.stream.binder.rabbit.RabbitMessageChannelBinder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.integration.channel.DirectChannel;
import org.springframework.util.ClassUtils;

/**
 * The application's binders, as far as they tell what became of a message. It watches them being
 * made, since each has a context of its own.
 */
final class Binders implements DefaultBinderFactory.Listener {
  private static final boolean KAFKA =
      present("org.springframework.cloud.stream.binder.kafka.KafkaMessageChannelBinder");
  private static final boolean RABBIT =
      present("org.springframework.cloud.stream.binder.rabbit.RabbitMessageChannelBinder");

  private final Supplier<Duration> deliveryTimeout;
  private final Map<Binder<?, ?, ?>, BinderKind> kinds = new ConcurrentHashMap<>();

  Binders(Supplier<Duration> deliveryTimeout) {
    this.deliveryTimeout = deliveryTimeout;
  }

  private static boolean present(String type) {
    return ClassUtils.isPresent(type, Binders.class.getClassLoader());
  }

  @Override
  public void afterBinderContextInitialized(String name, ConfigurableApplicationContext context) {
    Binder<?, ?, ?> binder = context.getBean(Binder.class);
    if (KAFKA && binder instanceof KafkaMessageChannelBinder kafka) {
      kinds.put(binder, KafkaKind.of(kafka, context, deliveryTimeout.get()));
    } else if (RABBIT && binder instanceof RabbitMessageChannelBinder rabbit) {
      kinds.put(binder, new RabbitKind(rabbit, context.getBean(ConnectionFactory.class)));
    }
  }

  /**
   * The binder of a binding.
   *
   * @param name name of a binder, null for the default one
   * @throws IllegalStateException if there is none, or it does not confirm
   */
  BinderKind kind(BinderFactory factory, @Nullable String name) {
    Binder<?, ?, ?> binder;
    try {
      binder = factory.getBinder(name, DirectChannel.class);
    } catch (IllegalArgumentException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
    BinderKind kind = kinds.get(binder);
    if (kind == null) {
      throw new IllegalStateException(
          "Binder "
              + binder.getClass().getSimpleName()
              + " does not report to Waybill what was stored; those of Kafka and RabbitMQ do");
    }
    return kind;
  }
}
