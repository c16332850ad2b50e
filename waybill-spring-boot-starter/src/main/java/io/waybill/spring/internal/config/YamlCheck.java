package io.waybill.spring.internal.config;

import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Looks at a YAML file before Spring Boot reads it: keys that are there twice, tags, several
 * documents and more than 20,000 nodes (aliases counted each time) are refused. Keeps what reading
 * loses: the lines of sections, and values as they are written.
 */
final class YamlCheck {
  private static final int MOST_BYTES = 1 << 20;
  private static final int MOST_NODES = 20_000;
  private static final int MOST_LEVELS = 30;
  private static final int MOST_PROBLEMS = 100;
  private static final Set<Tag> PLAIN =
      Set.of(
          Tag.STR,
          Tag.INT,
          Tag.FLOAT,
          Tag.BOOL,
          Tag.NULL,
          Tag.MAP,
          Tag.SEQ,
          Tag.TIMESTAMP,
          Tag.MERGE);

  private final List<Problem> problems = new ArrayList<>();
  private final Map<String, Integer> lines = new HashMap<>();
  private final Map<String, String> texts = new HashMap<>();
  private final Set<String> nothing = new HashSet<>();
  private final Set<String> empty = new LinkedHashSet<>();
  private final String file;
  private int nodes;

  private YamlCheck(String file) {
    this.file = file;
  }

  static YamlCheck of(String file, byte[] bytes) {
    YamlCheck check = new YamlCheck(file);
    if (bytes.length > MOST_BYTES) {
      check.refuse(0, "", "must have at most " + MOST_BYTES + " bytes, but has " + bytes.length);
    } else {
      check.read(bytes);
    }
    return check;
  }

  String file() {
    return file;
  }

  /** What is wrong. */
  List<Problem> problems() {
    return problems;
  }

  /** Line of a key, 0 if it is not there. */
  int line(String key) {
    return lines.getOrDefault(key, 0);
  }

  /** Whether a key is followed by nothing. */
  boolean nothing(String key) {
    return nothing.contains(key);
  }

  /** Sections without keys, which not every Spring Boot keeps. */
  Set<String> empty() {
    return empty;
  }

  /** A value as it is written, where YAML would make something else of it. */
  String text(String key, String fallback) {
    return texts.getOrDefault(key, fallback);
  }

  private void read(byte[] bytes) {
    LoaderOptions options = new LoaderOptions();
    options.setCodePointLimit(MOST_BYTES);
    options.setMaxAliasesForCollections(Integer.MAX_VALUE);
    // Nothing is made of tags here: they are refused below, by the key.
    options.setTagInspector(tag -> true);
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      String marked = text.startsWith("\uFEFF") ? text.substring(1) : text;
      int documents = 0;
      for (Node node : new Yaml(options).composeAll(new StringReader(marked))) {
        documents++;
        if (documents > 1) {
          refuse(line(node), "", "must be one document");
          return;
        }
        document(node);
      }
    } catch (CharacterCodingException e) {
      refuse(0, "", "must be UTF-8");
    } catch (MarkedYAMLException e) {
      int line = e.getProblemMark() == null ? 0 : e.getProblemMark().getLine() + 1;
      refuse(line, "", "is not YAML: " + Printable.of(String.valueOf(e.getProblem())));
    } catch (YAMLException e) {
      // Its message may quote the document.
      refuse(0, "", "is not YAML");
    }
  }

  private void document(Node root) {
    if (root instanceof MappingNode mapping) {
      mapping(mapping, "", 0);
    } else if (!root.getTag().equals(Tag.NULL)) {
      refuse(line(root), "", "must be a mapping of keys to values");
    }
  }

  private void node(Node node, String key, int level) {
    nodes++;
    if (nodes == MOST_NODES) {
      refuse(line(node), "", "must have at most " + MOST_NODES + " values, aliases repeated");
    } else if (level > MOST_LEVELS) {
      refuse(line(node), key, "is nested too deeply");
    } else if (!PLAIN.contains(node.getTag())) {
      refuse(line(node), key, "must not carry a tag");
    } else if (node instanceof MappingNode mapping) {
      mapping(mapping, key, level);
    } else if (node instanceof SequenceNode sequence) {
      int index = 0;
      for (Node item : sequence.getValue()) {
        if (nodes >= MOST_NODES) {
          return;
        }
        String name = key + "[" + index++ + "]";
        lines.put(name, line(item));
        node(item, name, level + 1);
      }
    } else if (node instanceof ScalarNode scalar) {
      scalar(scalar, key);
    }
  }

  private void scalar(ScalarNode scalar, String key) {
    if (scalar.getTag().equals(Tag.NULL)) {
      nothing.add(key);
    } else if (!scalar.getTag().equals(Tag.STR)) {
      texts.put(key, scalar.getValue());
    }
  }

  private void mapping(MappingNode mapping, String key, int level) {
    if (mapping.getValue().isEmpty() && !key.isEmpty()) {
      empty.add(key);
    }
    Set<String> names = new HashSet<>();
    for (NodeTuple tuple : mapping.getValue()) {
      if (nodes >= MOST_NODES) {
        return;
      }
      if (tuple.getKeyNode() instanceof ScalarNode name) {
        String child = below(key, name);
        lines.put(child, line(name));
        if (!names.add(name.getValue())) {
          refuse(line(name), child, "is there twice");
        }
        node(tuple.getValueNode(), child, level + 1);
      } else {
        refuse(line(tuple.getKeyNode()), key, "has a key that is not a text");
      }
    }
  }

  /** As Spring Boot joins names. */
  private static String below(String key, ScalarNode name) {
    String text = name.getTag().equals(Tag.STR) ? name.getValue() : "[" + name.getValue() + "]";
    return key.isEmpty() || text.startsWith("[") ? key + text : key + "." + text;
  }

  private void refuse(int line, String key, String rule) {
    // One bomb must not become a million lines of errors.
    if (problems.size() < MOST_PROBLEMS) {
      String origin = line > 0 ? file + " line " + line : file;
      problems.add(new Problem(Printable.of(key), rule, "", origin));
    }
  }

  private static int line(Node node) {
    return node.getStartMark().getLine() + 1;
  }
}
