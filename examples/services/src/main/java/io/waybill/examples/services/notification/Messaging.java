package io.waybill.examples.services.notification;

import java.util.ArrayList;
import java.util.List;
import org.springframework.amqp.core.BindingBuilder;
import org.springframework.amqp.core.Declarable;
import org.springframework.amqp.core.Declarables;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.core.TopicExchange;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory.ConfirmType;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.rabbit.retry.ImmediateRequeueMessageRecoverer;
import org.springframework.amqp.rabbit.retry.MessageRecoverer;
import org.springframework.amqp.rabbit.retry.RepublishMessageRecovererWithConfirms;
import org.springframework.amqp.support.converter.JacksonJsonMessageConverter;
import org.springframework.amqp.support.converter.MessageConverter;
import org.springframework.boot.amqp.autoconfigure.RabbitListenerRetrySettingsCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.transaction.TransactionException;
import tools.jackson.databind.json.JsonMapper;

/** The documented exchange and queues, and what becomes of a message that can't be handled. */
@Configuration(proxyBeanMethods = false)
class Messaging {
  /** Messages that no attempt will help. */
  static final String FAILED = "notification.failed";

  @Bean
  Declarables queues() {
    TopicExchange exchange = new TopicExchange(NotificationApplication.EXCHANGE);
    List<Declarable> all = new ArrayList<>(List.of(exchange, new Queue(FAILED)));
    for (String name : NotificationApplication.queues()) {
      Queue queue = new Queue(name);
      all.add(queue);
      all.add(BindingBuilder.bind(queue).to(exchange).with(name));
    }
    return new Declarables(all);
  }

  @Bean
  MessageConverter messages(JsonMapper json) {
    return new JacksonJsonMessageConverter(json);
  }

  @Bean
  RabbitListenerRetrySettingsCustomizer triedAgain() {
    return settings -> settings.setExceptionPredicate(Messaging::isOfDatabase);
  }

  /** While the database fails, messages stay in their queue; others make room for the next. */
  @Bean
  MessageRecoverer givenUp(RabbitTemplate template) {
    MessageRecoverer aside =
        new RepublishMessageRecovererWithConfirms(template, "", FAILED, ConfirmType.CORRELATED);
    MessageRecoverer again = new ImmediateRequeueMessageRecoverer();
    return (message, cause) -> (isOfDatabase(cause) ? again : aside).recover(message, cause);
  }

  private static boolean isOfDatabase(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof DataIntegrityViolationException) {
        return false;
      }
      if (each instanceof DataAccessException || each instanceof TransactionException) {
        return true;
      }
    }
    return false;
  }
}
