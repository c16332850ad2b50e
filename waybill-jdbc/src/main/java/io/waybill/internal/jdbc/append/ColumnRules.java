package io.waybill.internal.jdbc.append;

import io.waybill.internal.jdbc.kernel.TableColumns.Column;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a text must be to come out of a column as it went in. */
final class ColumnRules {
  private static final Pattern WHOLE = Pattern.compile("0|-?[1-9][0-9]{0,18}");
  private static final Pattern UUID =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

  private ColumnRules() {}

  /** The rule that a text breaks, or null. */
  static @Nullable String broken(Column column, @Nullable String value) {
    if (value == null) {
      return column.nullable() || column.defaulted() ? null : "must be given";
    }
    String type = column.type();
    int bits = bits(type);
    if (bits > 0) {
      return whole(value, type.contains("unsigned"), bits);
    }
    if (type.equals("uuid")) {
      return UUID.matcher(value).matches() ? null : "must be a UUID in lower case";
    }
    return isChar(type) && value.endsWith(" ")
        ? "must not end with a blank, which a CHAR does not keep"
        : length(column, value);
  }

  private static boolean isChar(String type) {
    return type.startsWith("char(") || type.startsWith("character(");
  }

  private static int bits(String type) {
    int end = type.indexOf('(');
    String plain = (end < 0 ? type : type.substring(0, end)).replace(" unsigned", "");
    return switch (plain) {
      case "bigint" -> 64;
      case "int", "integer" -> 32;
      case "mediumint" -> 24;
      case "smallint" -> 16;
      case "tinyint" -> 8;
      default -> 0;
    };
  }

  private static @Nullable String whole(String value, boolean unsigned, int bits) {
    BigInteger limit = BigInteger.ONE.shiftLeft(unsigned ? bits : bits - 1);
    BigInteger least = unsigned ? BigInteger.ZERO : limit.negate();
    boolean fits = WHOLE.matcher(value).matches();
    if (fits) {
      BigInteger number = new BigInteger(value);
      fits = number.compareTo(least) >= 0 && number.compareTo(limit) < 0;
    }
    return fits
        ? null
        : "must be a whole number from "
            + least
            + " to "
            + limit.subtract(BigInteger.ONE)
            + " without leading zeros";
  }

  private static @Nullable String length(Column column, String value) {
    long chars = column.maxChars();
    if (chars > 0 && value.length() > chars && value.codePointCount(0, value.length()) > chars) {
      return "must be at most " + chars + " characters";
    }
    long bytes = column.maxBytes();
    boolean mayExceed = bytes > 0 && value.length() * 3L > bytes;
    return mayExceed && value.getBytes(StandardCharsets.UTF_8).length > bytes
        ? "must be at most " + bytes + " bytes"
        : null;
  }
}
