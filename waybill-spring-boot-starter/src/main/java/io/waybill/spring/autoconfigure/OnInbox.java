package io.waybill.spring.autoconfigure;

import io.waybill.spring.properties.WaybillProperties.OutboxMode;
import java.util.List;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches where this process consumes: there are sources, and nothing switches the inbox off. */
final class OnInbox extends SpringBootCondition {
  @Override
  public ConditionOutcome getMatchOutcome(
      ConditionContext context, AnnotatedTypeMetadata metadata) {
    Binder binder = Binder.get(context.getEnvironment());
    ConditionMessage.Builder message = ConditionMessage.forCondition("Waybill inbox");
    if (!binder.bind("waybill.inbox.enabled", Boolean.class).orElse(true)) {
      return ConditionOutcome.noMatch(message.because("waybill.inbox.enabled is false"));
    }
    if (binder.bind("waybill.outbox.mode", OutboxMode.class).orElse(OutboxMode.DATABASE)
        == OutboxMode.MEMORY) {
      return ConditionOutcome.noMatch(message.because("waybill.outbox.mode is memory"));
    }
    boolean any =
        !binder
            .bind("waybill.inbox.sources", Bindable.listOf(String.class))
            .orElse(List.of())
            .isEmpty();
    return new ConditionOutcome(any, message.because("waybill.inbox.sources " + any));
  }
}
