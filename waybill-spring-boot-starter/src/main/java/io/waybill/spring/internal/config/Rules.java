package io.waybill.spring.internal.config;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What holds for a configuration besides the types of its record.
 *
 * @param identifiers maps whose names are identifiers; patterns are keys below the prefix, with *
 *     for each name that the user chose
 * @param allowed names of maps, by pattern
 * @param secrets further words that the keys of secrets end with
 * @param own variables with our prefix that somebody else reads
 */
record Rules(
    Set<String> identifiers,
    Map<String, AllowList> allowed,
    List<String> secrets,
    Set<String> own) {
  static final Rules NONE = new Rules(Set.of(), Map.of(), List.of(), Set.of());
  static final String IDENTIFIER = "[a-z][a-z0-9-]{0,62}";
}
