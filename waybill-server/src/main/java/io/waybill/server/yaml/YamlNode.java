package io.waybill.server.yaml;

import java.util.List;
import java.util.Map;

/** A piece of a YAML document. */
public sealed interface YamlNode {
  /**
   * Where it starts.
   *
   * @return line number from 1
   */
  int line();

  /**
   * A mapping.
   *
   * @param line line number from 1
   * @param entries entries in the order of the document
   */
  record Mapping(int line, Map<String, YamlNode> entries) implements YamlNode {}

  /**
   * A sequence.
   *
   * @param line line number from 1
   * @param items items in order
   */
  record Sequence(int line, List<YamlNode> items) implements YamlNode {}

  /**
   * A text, number, truth value, or nothing.
   *
   * @param line line number from 1
   * @param text text as written, without quotes
   * @param empty true if there is no value at all
   */
  record Scalar(int line, String text, boolean empty) implements YamlNode {}
}
