package io.waybill.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.event.SimpleApplicationEventMulticaster;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.ResolvableType;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

class DomainEventListenerTest {
  @WaybillEvent
  record Marked(String id) {}

  record Plain(String id) {}

  interface Anything {
    String id();
  }

  @WaybillEvent
  record MarkedThing(String id) implements Anything {}

  @WaybillEvent(type = "order.placed", aggregateType = "order", aggregateId = "id")
  static class MarkedEvent extends ApplicationEvent {
    private static final long serialVersionUID = 1L;
    private final String id;

    MarkedEvent(Object source, String id) {
      super(source);
      this.id = id;
    }

    public String getId() {
      return id;
    }
  }

  static final class InheritedEvent extends MarkedEvent {
    private static final long serialVersionUID = 1L;

    InheritedEvent(Object source, String id) {
      super(source, id);
    }
  }

  static final class PlainEvent extends ApplicationEvent {
    private static final long serialVersionUID = 1L;

    PlainEvent(Object source) {
      super(source);
    }
  }

  private final List<Object> published = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final DomainEventListener listener =
      new DomainEventListener(
          events -> {
            published.addAll(events);
            threads.add(Thread.currentThread());
          });
  private final GenericApplicationContext context = new GenericApplicationContext();

  @BeforeEach
  void start() {
    SimpleApplicationEventMulticaster multicaster = new SimpleApplicationEventMulticaster();
    multicaster.setTaskExecutor(new SimpleAsyncTaskExecutor());
    context.getBeanFactory().registerSingleton("applicationEventMulticaster", multicaster);
    context.addApplicationListener(listener);
    context.refresh();
  }

  @AfterEach
  void end() {
    context.close();
  }

  @Test
  void domainEventsReachItInTheThreadOfTheirPublisher() {
    context.publishEvent(new Marked("1"));

    assertThat(published).containsExactly(new Marked("1"));
    assertThat(threads).containsExactly(Thread.currentThread());
  }

  @Test
  void springsOwnKindOfEventReachesIt() {
    MarkedEvent event = new MarkedEvent(this, "1");
    InheritedEvent inherited = new InheritedEvent(this, "2");
    context.publishEvent(event);
    context.publishEvent(inherited);

    assertThat(published).containsExactly(event, inherited);
  }

  @Test
  void aCarrierThatDoesNotTellItsPayloadsClassReachesIt() {
    ResolvableType unclear = ResolvableType.forClass(Anything.class);
    context.publishEvent(new PayloadApplicationEvent<>(this, new MarkedThing("1"), unclear));
    context.publishEvent(new PayloadApplicationEvent<Anything>(this, () -> "plain", unclear));

    assertThat(published).containsExactly(new MarkedThing("1"));
  }

  @Test
  void otherEventsNeverReachIt() {
    context.publishEvent(new Plain("1"));
    context.publishEvent(new PlainEvent(this));

    assertThat(published).isEmpty();
    assertThat(listener.supportsEventType(ResolvableType.forClass(ContextRefreshedEvent.class)))
        .isFalse();
    assertThat(
            listener.supportsEventType(
                ResolvableType.forClassWithGenerics(PayloadApplicationEvent.class, Plain.class)))
        .isFalse();
  }
}
