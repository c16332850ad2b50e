package io.waybill.console.internal.layout;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Conditions in the address of a page, named as the API names them. */
public final class Conditions {
  /** Those of events. */
  public static final List<String> EVENTS =
      List.of(
          "eventId",
          "state",
          "type",
          "aggregateType",
          "aggregateId",
          "reason",
          "since",
          "before",
          "group",
          "traceId");

  private Conditions() {}

  /** Those of a visit; empty ones included. */
  public static Map<String, String> of(Visit visit, List<String> names) {
    Map<String, String> given = new LinkedHashMap<>();
    names.forEach(name -> given.put(name, visit.text(name)));
    return given;
  }

  /** Names and values in turn, with further ones. */
  public static @Nullable String[] with(Map<String, String> given, @Nullable String... more) {
    List<@Nullable String> all = new ArrayList<>();
    given.forEach(
        (name, value) -> {
          all.add(name);
          all.add(value);
        });
    all.addAll(Arrays.asList(more));
    return all.toArray(String[]::new);
  }

  /** The address of a page with them, and with further ones. */
  public static String link(String page, Map<String, String> given, @Nullable String... more) {
    return Link.to(page, with(given, more));
  }
}
