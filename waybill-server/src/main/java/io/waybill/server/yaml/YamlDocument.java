package io.waybill.server.yaml;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * A parsed document and what was wrong with it. UTF-8 with or without a byte order mark; duplicate
 * keys, tags that name a type, recursion, and more than 20,000 nodes (aliases counted each time)
 * are problems.
 *
 * @param root the document's mapping; empty if it could not be read
 * @param problems everything that was wrong
 */
public record YamlDocument(YamlNode.Mapping root, List<YamlProblem> problems) {
  private static final int MOST_BYTES = 1 << 20;
  private static final char BYTE_ORDER_MARK = '\uFEFF';

  /** Copies the problems. */
  public YamlDocument {
    problems = List.copyOf(problems);
  }

  /**
   * Parses a document.
   *
   * @param label what to call it in messages
   * @param bytes the document
   * @return tree and problems; never throws for a bad document
   */
  public static YamlDocument parse(String label, byte[] bytes) {
    if (bytes.length > MOST_BYTES) {
      return refused(0, "must have at most " + MOST_BYTES + " bytes, but has " + bytes.length);
    }
    try {
      return compose(label, decode(bytes));
    } catch (CharacterCodingException e) {
      return refused(0, "must be UTF-8");
    } catch (MarkedYamlEngineException e) {
      int line = e.getProblemMark().map(Mark::getLine).orElse(-1) + 1;
      return refused(line, "is not YAML: " + e.getProblem());
    } catch (YamlEngineException e) {
      // Its message may quote the document.
      return refused(0, "is not YAML");
    } catch (StackOverflowError e) {
      return refused(0, "is nested too deeply");
    }
  }

  private static YamlDocument compose(String label, String text) {
    LoadSettings settings =
        LoadSettings.builder().setLabel(label).setCodePointLimit(MOST_BYTES).build();
    List<Node> documents = new ArrayList<>();
    new Compose(settings).composeAllFromString(text).forEach(documents::add);
    if (documents.isEmpty()) {
      return new YamlDocument(new YamlNode.Mapping(1, Map.of()), List.of());
    }
    if (documents.size() > 1) {
      return refused(0, "must be one document, but are " + documents.size());
    }
    return new NodeConverter().convert(documents.get(0));
  }

  private static String decode(byte[] bytes) throws CharacterCodingException {
    String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    return !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK ? text.substring(1) : text;
  }

  static YamlDocument refused(int line, String rule) {
    return new YamlDocument(
        new YamlNode.Mapping(1, Map.of()), List.of(new YamlProblem(line, "", rule)));
  }
}
