package io.waybill.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
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
  void otherEventsNeverReachIt() {
    context.publishEvent(new Plain("1"));

    assertThat(published).isEmpty();
    assertThat(listener.supportsEventType(ResolvableType.forClass(ContextRefreshedEvent.class)))
        .isFalse();
    assertThat(
            listener.supportsEventType(
                ResolvableType.forClassWithGenerics(PayloadApplicationEvent.class, Plain.class)))
        .isFalse();
  }
}
