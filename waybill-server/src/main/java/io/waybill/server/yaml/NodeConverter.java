package io.waybill.server.yaml;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.AnchorNode;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** Turns the parser's nodes into ours, bounded in number and depth. Used once. */
final class NodeConverter {
  // Aliases are expanded, so a few lines could stand for billions of nodes.
  private static final int MOST_NODES = 20_000;
  private static final int MOST_LEVELS = 30;

  /** What a value is without a tag of its own; the parser gives placeholders one of theirs. */
  private static final Set<Tag> PLAIN =
      Set.of(Tag.ENV_TAG, Tag.STR, Tag.INT, Tag.FLOAT, Tag.BOOL, Tag.NULL, Tag.MAP, Tag.SEQ);

  private final List<YamlProblem> problems = new ArrayList<>();
  private int nodes;

  YamlDocument convert(Node root) {
    if (root instanceof MappingNode mapping) {
      return new YamlDocument(mapping(mapping, "", 0), problems);
    }
    return YamlDocument.refused(line(root), "must be a mapping of keys to values");
  }

  private YamlNode node(Node node, String path, int level) {
    nodes++;
    if (nodes > MOST_NODES || level > MOST_LEVELS) {
      return refuse(node, path, nodes > MOST_NODES ? "has too many nodes" : "is nested too deeply");
    }
    if (!PLAIN.contains(node.getTag())) {
      return refuse(node, path, "must not carry a tag");
    }
    if (node instanceof MappingNode mapping) {
      return mapping(mapping, path, level);
    }
    if (node instanceof SequenceNode sequence) {
      return sequence(sequence, path, level);
    }
    if (node instanceof ScalarNode scalar) {
      return new YamlNode.Scalar(line(node), scalar.getValue(), scalar.getTag().equals(Tag.NULL));
    }
    return node instanceof AnchorNode anchor
        ? node(anchor.getRealNode(), path, level + 1)
        : refuse(node, path, "is not understood");
  }

  private YamlNode.Mapping mapping(MappingNode mapping, String path, int level) {
    Map<String, YamlNode> entries = new LinkedHashMap<>();
    for (NodeTuple tuple : mapping.getValue()) {
      if (nodes > MOST_NODES) {
        break;
      }
      if (tuple.getKeyNode() instanceof ScalarNode key) {
        String child = path.isEmpty() ? key.getValue() : path + "." + key.getValue();
        YamlNode value = node(tuple.getValueNode(), child, level + 1);
        if (entries.putIfAbsent(key.getValue(), value) != null) {
          problem(line(key), child, "is there twice");
        }
      } else {
        problem(line(tuple.getKeyNode()), path, "has a key that is not a text");
      }
    }
    return new YamlNode.Mapping(line(mapping), entries);
  }

  private YamlNode sequence(SequenceNode sequence, String path, int level) {
    List<YamlNode> items = new ArrayList<>();
    for (Node item : sequence.getValue()) {
      if (nodes > MOST_NODES) {
        break;
      }
      items.add(node(item, path + "[" + items.size() + "]", level + 1));
    }
    return new YamlNode.Sequence(line(sequence), items);
  }

  private YamlNode refuse(Node node, String path, String rule) {
    problem(line(node), path, rule);
    return new YamlNode.Scalar(line(node), "", true);
  }

  private void problem(int line, String path, String rule) {
    // One bomb must not become a million lines of errors.
    if (problems.size() < 100) {
      problems.add(new YamlProblem(line, path, rule));
    }
  }

  private static int line(Node node) {
    return node.getStartMark().map(Mark::getLine).orElse(-1) + 1;
  }
}
