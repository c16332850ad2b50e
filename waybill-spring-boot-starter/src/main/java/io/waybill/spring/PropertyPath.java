package io.waybill.spring;

import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;

/** Names of properties, one within the other. */
final class PropertyPath {
  private static final Pattern FORM =
      Pattern.compile("[A-Za-z_][A-Za-z0-9_]*(\\.[A-Za-z_][A-Za-z0-9_]*)*");
  private static final Map<Property, Member> MEMBERS = new ConcurrentHashMap<>();

  private final Class<?> event;
  private final String text;
  private final List<String> names;

  private record Property(Class<?> type, String name) {}

  private PropertyPath(Class<?> event, String text) {
    this.event = event;
    this.text = text;
    this.names = List.of(text.split("\\.", -1));
  }

  static PropertyPath parse(Class<?> event, String text) {
    if (!FORM.matcher(text).matches()) {
      throw new DomainEventException(
          event, "'" + text + "' must be property names with dots between them", null);
    }
    return new PropertyPath(event, text);
  }

  /** The property as text, or null if it or one on the way to it is null. */
  @Nullable String read(Object root) {
    Object value = root;
    for (String name : names) {
      if (value == null) {
        return null;
      }
      value = read(value, name);
    }
    return value == null ? null : plain(value);
  }

  private @Nullable Object read(Object owner, String name) {
    Member member = MEMBERS.computeIfAbsent(new Property(owner.getClass(), name), this::findMember);
    try {
      return member instanceof Method method ? method.invoke(owner) : ((Field) member).get(owner);
    } catch (InvocationTargetException e) {
      throw new DomainEventException(event, "property '" + text + "' failed", e.getCause());
    } catch (IllegalAccessException e) {
      throw new DomainEventException(event, "property '" + text + "' cannot be read", e);
    }
  }

  private Member findMember(Property property) {
    String name = property.name();
    String capital = StringUtils.capitalize(name);
    for (String method : List.of(name, "get" + capital, "is" + capital)) {
      Method found = ReflectionUtils.findMethod(property.type(), method);
      if (found != null && isProperty(found)) {
        ReflectionUtils.makeAccessible(found);
        return found;
      }
    }
    Field field = ReflectionUtils.findField(property.type(), name);
    if (field != null && Modifier.isPublic(field.getModifiers())) {
      ReflectionUtils.makeAccessible(field);
      return field;
    }
    throw new DomainEventException(
        event,
        "'" + text + "': " + property.type().getName() + " has no property '" + name + "'",
        null);
  }

  private static boolean isProperty(Method method) {
    return Modifier.isPublic(method.getModifiers())
        && !Modifier.isStatic(method.getModifiers())
        && method.getReturnType() != void.class
        && ReflectionUtils.findMethod(Object.class, method.getName()) == null;
  }

  private String plain(Object value) {
    if (value instanceof Enum<?> constant) {
      return constant.name();
    }
    if (value instanceof CharSequence
        || value instanceof Number
        || value instanceof Boolean
        || value instanceof Character
        || value instanceof java.util.UUID
        || value.getClass().getPackageName().equals("java.time")) {
      return value.toString();
    }
    throw new DomainEventException(
        event,
        "'" + text + "' is a " + value.getClass().getName() + ": name one of its properties",
        null);
  }

  @Override
  public String toString() {
    return text;
  }
}
