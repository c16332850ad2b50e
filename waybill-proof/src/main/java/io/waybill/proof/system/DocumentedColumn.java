package io.waybill.proof.system;

import io.waybill.database.DatabaseKind;
import io.waybill.proof.system.DocumentedSystem.Fact;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A column as a document has it.
 *
 * @param table its table
 * @param name its name
 * @param mySqlType its type on MySQL and MariaDB, or a family of types
 * @param postgresType its type on PostgreSQL, or a family of types
 * @param nullable whether it may be null
 * @param byDefault its default in lower case, or null if the document names none
 */
public record DocumentedColumn(
    String table,
    String name,
    String mySqlType,
    String postgresType,
    boolean nullable,
    @Nullable String byDefault) {
  // What documents call a type without its length, and what that may be in a database.
  private static final Map<String, String> FAMILIES =
      Map.of(
          "string", "varchar\\(\\d+\\)|text",
          "varchar", "varchar\\(\\d+\\)",
          "uuid", "uuid|char\\(36\\)",
          "uuid/string", "varchar\\(\\d+\\)",
          "integer", "int|integer",
          "boolean", "boolean|tinyint\\(1\\)",
          "datetime", "datetime\\(6\\)|timestamp\\(6\\)",
          "timestamp", "(timestamp|timestamptz|datetime)(\\(6\\))?");

  /** Reads one, for example {@code INT / INTEGER, default 0}. */
  static DocumentedColumn of(Fact fact) {
    int dot = fact.name().indexOf('.');
    // No blank stands behind the commas of an enum.
    List<String> parts = new ArrayList<>(List.of(fact.says().split(", ", -1)));
    String[] types = parts.remove(0).split(" / ", -1);
    String byDefault =
        parts.stream()
            .filter(part -> part.startsWith("default "))
            .map(part -> part.substring("default ".length()))
            .findAny()
            .orElse(null);
    return new DocumentedColumn(
        fact.name().substring(0, dot),
        fact.name().substring(dot + 1),
        types[0],
        types[types.length - 1],
        parts.contains("nullable"),
        byDefault == null ? null : plain(byDefault));
  }

  /**
   * Types that it may have in a database.
   *
   * @param kind the database
   * @return pattern of types in lower case, without blanks
   */
  public Pattern type(DatabaseKind kind) {
    String type =
        (kind == DatabaseKind.POSTGRESQL ? postgresType : mySqlType).toLowerCase(Locale.ROOT);
    return Pattern.compile(FAMILIES.getOrDefault(type, Pattern.quote(type)));
  }

  /**
   * Makes defaults the same that databases, scripts and documents write differently.
   *
   * @param byDefault a default
   * @return in lower case, without quotes and casts
   */
  public static String plain(String byDefault) {
    String plain = byDefault.replaceAll("::[a-z ]+$", "").replace("'", "").toLowerCase(Locale.ROOT);
    // MySQL keeps booleans as numbers.
    return plain.equals("false") ? "0" : plain;
  }
}
