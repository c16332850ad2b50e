package io.waybill.spring.inbox;

import io.waybill.handler.BatchHandler;
import io.waybill.handler.Registration;
import io.waybill.message.ReceivedEvent;
import io.waybill.spring.DomainEvents;
import io.waybill.spring.PayloadMapper;
import io.waybill.spring.WaybillEvent;
import io.waybill.spring.WaybillHandler;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;
import org.springframework.util.ReflectionUtils;

/** A method with {@link WaybillHandler}. Thread-safe. */
final class HandlerMethod implements BatchHandler {
  /** What Spring looks at, on a method or on the class of the bean. */
  private static final List<String> ASYNCHRONOUS =
      List.of(
          Async.class.getName(),
          "jakarta.ejb.Asynchronous",
          "jakarta.enterprise.concurrent.Asynchronous");

  private final Method method;
  private final Supplier<Object> bean;
  private final Arguments arguments;

  private HandlerMethod(Method method, Supplier<Object> bean, Arguments arguments) {
    this.method = method;
    this.bean = bean;
    this.arguments = arguments;
  }

  /**
   * Checks a method.
   *
   * @param beanClass the bean's class
   * @param method as that class has it
   * @param invocable the same as the bean can be called by
   * @param manager what its transactions must be of
   * @throws IllegalArgumentException if it is not as a handler must be
   */
  static List<Registration> register(
      Class<?> beanClass,
      Method method,
      Method invocable,
      Supplier<Object> bean,
      PayloadMapper mapper,
      InboxManager manager) {
    WaybillHandler annotation =
        AnnotatedElementUtils.findMergedAnnotation(method, WaybillHandler.class);
    if (annotation == null) {
      return List.of();
    }
    checkWhereItRuns(method, beanClass);
    checkTransaction(Declared.by(method), manager);
    Arguments arguments = Arguments.of(method, mapper);
    ReflectionUtils.makeAccessible(invocable);
    HandlerMethod handler = new HandlerMethod(invocable, bean, arguments);
    int batch = arguments.batch() ? annotation.batch() : 1;
    return types(annotation, arguments).stream()
        .map(type -> new Registration(type, annotation.version(), batch, handler))
        .toList();
  }

  private static void checkWhereItRuns(Method method, Class<?> beanClass) {
    if (method.getReturnType() != void.class) {
      throw new IllegalArgumentException(
          "must return nothing, returns " + method.getReturnType().getName());
    }
    if (Stream.of(method, beanClass).anyMatch(HandlerMethod::isAsynchronous)) {
      throw new IllegalArgumentException(
          "must run in the thread of the inbox's transaction, is asynchronous");
    }
  }

  private static boolean isAsynchronous(AnnotatedElement element) {
    return ASYNCHRONOUS.stream()
        .anyMatch(
            name ->
                AnnotatedElementUtils.findMergedAnnotationAttributes(element, name, false, false)
                    != null);
  }

  private static void checkTransaction(@Nullable Declared declared, InboxManager manager) {
    if (declared == null) {
      return;
    }
    if (declared.isElsewhere()) {
      throw new IllegalArgumentException(
          "must run in the inbox's transaction, has @Transactional(propagation = "
              + declared.propagation()
              + ")");
    }
    if (!manager.is(declared.manager())) {
      throw new IllegalArgumentException(
          "must run in the inbox's transaction, but its @Transactional is one of "
              + (declared.manager().isEmpty()
                  ? "the usual transaction manager"
                  : "the transaction manager " + declared.manager())
              + ", not of the inbox's (waybill.inbox.transaction-manager)");
    }
  }

  private static List<String> types(WaybillHandler annotation, Arguments arguments) {
    if (annotation.value().length > 0) {
      return Arrays.asList(annotation.value());
    }
    Class<?> payload = arguments.payload();
    if (payload == null || !AnnotatedElementUtils.hasAnnotation(payload, WaybillEvent.class)) {
      throw new IllegalArgumentException(
          "must name event types, or take a payload of a class with @WaybillEvent");
    }
    return List.of(DomainEvents.typeOf(payload));
  }

  @Override
  public void handle(List<ReceivedEvent> events, Connection connection) throws Exception {
    Object target = bean.get();
    try {
      method.invoke(target, arguments.values(events, connection));
    } catch (InvocationTargetException e) {
      Throwable cause = e.getCause();
      if (cause instanceof Error error) {
        throw error;
      }
      throw cause instanceof Exception exception ? exception : e;
    }
  }

  /** Class and name, for people. */
  @Override
  public String toString() {
    return method.getDeclaringClass().getSimpleName() + "." + method.getName();
  }
}
