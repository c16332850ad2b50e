package io.waybill.spring.internal.config;

import io.waybill.spring.internal.config.Names.Element;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds what a written key means in a tree of records. */
final class Keys {
  private final String prefix;
  private final Shape.Section root;
  private final Set<String> identifiers;

  /**
   * Keys of a record.
   *
   * @param prefix the first word of all
   * @param identifiers patterns of maps whose names have no dots
   */
  Keys(String prefix, Shape.Section root, Set<String> identifiers) {
    this.prefix = prefix;
    this.root = root;
    this.identifiers = identifiers;
  }

  /**
   * A name in a map.
   *
   * @param map key of the map
   * @param pattern the map's key below the prefix, with * for each name that the user chose
   * @param name the name
   */
  record Member(String map, String pattern, String name) {}

  /**
   * Where a key stands.
   *
   * @param key the key in its usual form
   * @param pattern the key below the prefix, with * for each name that the user chose
   * @param list key of the outermost list that it is part of
   * @param members the names in maps that it goes through
   */
  record Path(String key, String pattern, @Nullable String list, List<Member> members) {
    Path key(String name) {
      String below = pattern.isEmpty() ? name : pattern + "." + name;
      return new Path(key + "." + name, below, list, members);
    }

    Path named(String name) {
      List<Member> all = new ArrayList<>(members);
      all.add(new Member(key, pattern, name));
      return new Path(Names.below(key, name), pattern + ".*", list, List.copyOf(all));
    }

    Path item(String index) {
      String outer = list == null ? key : list;
      return new Path(key + "[" + index + "]", pattern + ".*", outer, members);
    }
  }

  /** What a written key is. */
  sealed interface Result {}

  /** A key that there is. */
  record Found(Path path, Shape shape) implements Result {}

  /** One that there is not: as far as it goes wrong, and why. */
  record Wrong(String written, String rule) implements Result {}

  Path start() {
    return new Path(prefix, "", null, List.of());
  }

  Shape.Section root() {
    return root;
  }

  boolean identifier(Path path) {
    return identifiers.contains(path.pattern());
  }

  /** What a key means, its prefix included. */
  Result locate(String written) {
    return walk(root, start(), Names.elements(written), 1);
  }

  private Result walk(Shape shape, Path path, List<Element> all, int at) {
    if (at == all.size()) {
      return new Found(path, shape);
    }
    Element next = all.get(at);
    if (shape instanceof Shape.Section section) {
      if (next.index()) {
        return new Wrong(cut(all, at), ValueRules.SECTION);
      }
      Shape.Key key = next.bracketed() ? null : section.find(next.text());
      return key == null
          ? new Wrong(
              cut(all, at + 1),
              "is not a known key" + Closest.hint(next.text(), section.keys().keySet()))
          : walk(key.shape(), path.key(key.name()), all, at + 1);
    }
    if (shape instanceof Shape.Named named) {
      return named(named, path, all, at);
    }
    if (shape instanceof Shape.Items items) {
      return next.index()
          ? walk(items.each(), path.item(next.text()), all, at + 1)
          : new Wrong(cut(all, at), "must be a list");
    }
    return new Wrong(cut(all, at), "must be one value");
  }

  private Result named(Shape.Named named, Path path, List<Element> all, int at) {
    if (named.each() instanceof Shape.Value) {
      return new Found(path.named(joined(all, at, all.size())), named.each());
    }
    Result first = walk(named.each(), path.named(all.get(at).text()), all, at + 1);
    if (first instanceof Found || all.get(at).bracketed() || identifier(path)) {
      return first;
    }
    for (int end = at + 2; end < all.size(); end++) {
      Result longer = walk(named.each(), path.named(joined(all, at, end)), all, end);
      if (longer instanceof Found) {
        return longer;
      }
    }
    return first;
  }

  private static String joined(List<Element> all, int from, int to) {
    return all.subList(from, to).stream().map(Element::text).collect(Collectors.joining("."));
  }

  private static String cut(List<Element> all, int to) {
    return Names.key(all.subList(0, to));
  }
}
