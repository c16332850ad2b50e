package io.waybill.server.config;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** From text to value; nothing if the text does not have the form. */
final class Forms {
  private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,9}");

  private Forms() {}

  static Function<String, Optional<String>> matching(Pattern form) {
    return text -> Optional.of(text).filter(given -> form.matcher(given).matches());
  }

  static Optional<Boolean> flag(String text) {
    return switch (text) {
      case "true" -> Optional.of(true);
      case "false" -> Optional.of(false);
      default -> Optional.empty();
    };
  }

  static Function<String, Optional<Integer>> number(int least, int most) {
    return text ->
        Optional.of(text)
            .filter(given -> NUMBER.matcher(given).matches())
            .map(Integer::valueOf)
            .filter(value -> value >= least && value <= most);
  }

  static <E extends Enum<E>> Function<String, Optional<E>> choice(Class<E> type) {
    return text ->
        Arrays.stream(type.getEnumConstants())
            .filter(constant -> name(constant).equals(text))
            .findFirst();
  }

  static String name(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static String names(Class<? extends Enum<?>> type) {
    return Arrays.stream(type.getEnumConstants())
        .map(Forms::name)
        .collect(Collectors.joining(", "));
  }
}
