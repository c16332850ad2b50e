package io.waybill.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.PackageTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The prose that users read in sources: Javadoc of the API, and string literals. */
final class PublicText extends TreePathScanner<Void, Boolean> {
  /**
   * A comment or a message in one line.
   *
   * @param file its source
   * @param text its words, each gap between them a single space
   * @param lines line in the file of each character of the text
   */
  record Passage(Path file, String text, int[] lines) {}

  /** Names in Javadoc, which are no prose. */
  private static final Pattern NAME =
      Pattern.compile("(?<=@param )\\S+|\\{@(code|link|linkplain|value)\\s[^}]*}");

  private final Path file;
  private final String source;
  private final CompilationUnitTree unit;
  private final SourcePositions positions;
  private final List<Passage> passages;

  private PublicText(CompilationUnitTree unit, SourcePositions positions, List<Passage> passages)
      throws IOException {
    this.file = Path.of(unit.getSourceFile().toUri()).normalize();
    this.source = unit.getSourceFile().getCharContent(true).toString();
    this.unit = unit;
    this.positions = positions;
    this.passages = passages;
  }

  static List<Passage> of(List<Path> sources) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    List<Passage> passages = new ArrayList<>();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, UTF_8)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null,
                  files,
                  null,
                  List.of("-proc:none"),
                  null,
                  files.getJavaFileObjectsFromPaths(sources));
      SourcePositions positions = Trees.instance(task).getSourcePositions();
      for (CompilationUnitTree unit : task.parse()) {
        new PublicText(unit, positions, passages).scan(unit, !isInternal(unit));
      }
    }
    return passages;
  }

  private static boolean isInternal(CompilationUnitTree unit) {
    return String.valueOf(unit.getPackageName()).startsWith("io.waybill.internal.");
  }

  @Override
  public Void visitPackage(PackageTree tree, Boolean visible) {
    javadocOf(tree);
    return super.visitPackage(tree, visible);
  }

  @Override
  public Void visitClass(ClassTree tree, Boolean visible) {
    return super.visitClass(tree, visible && documented(tree, tree.getModifiers()));
  }

  @Override
  public Void visitMethod(MethodTree tree, Boolean visible) {
    if (visible) {
      documented(tree, tree.getModifiers());
    }
    return super.visitMethod(tree, false);
  }

  @Override
  public Void visitVariable(VariableTree tree, Boolean visible) {
    if (visible) {
      documented(tree, tree.getModifiers());
    }
    return super.visitVariable(tree, false);
  }

  @Override
  public Void visitBinary(BinaryTree tree, Boolean visible) {
    if (tree.getKind() != Tree.Kind.PLUS) {
      return super.visitBinary(tree, visible);
    }
    List<ExpressionTree> terms = new ArrayList<>();
    flatten(tree, terms);
    Text text = new Text();
    for (ExpressionTree term : terms) {
      if (isString(term)) {
        literal((LiteralTree) term, text);
      } else {
        text.add("{}", line(start(term)));
        scan(term, visible);
      }
    }
    keep(text);
    return null;
  }

  @Override
  public Void visitLiteral(LiteralTree tree, Boolean visible) {
    if (isString(tree)) {
      Text text = new Text();
      literal(tree, text);
      keep(text);
    }
    return null;
  }

  /** Keeps the Javadoc of what is public or protected, and says whether it is. */
  private boolean documented(Tree tree, ModifiersTree modifiers) {
    Set<Modifier> flags = modifiers.getFlags();
    boolean visible =
        flags.contains(Modifier.PUBLIC)
            || flags.contains(Modifier.PROTECTED)
            || (inInterface() && !flags.contains(Modifier.PRIVATE));
    if (visible) {
      javadocOf(tree);
    }
    return visible;
  }

  private boolean inInterface() {
    Tree.Kind parent = getCurrentPath().getParentPath().getLeaf().getKind();
    return parent == Tree.Kind.INTERFACE || parent == Tree.Kind.ANNOTATION_TYPE;
  }

  private void javadocOf(Tree tree) {
    int end = start(tree);
    while (end > 0 && Character.isWhitespace(source.charAt(end - 1))) {
      end--;
    }
    if (end < 2 || !source.startsWith("*/", end - 2)) {
      return;
    }
    int start = source.lastIndexOf("/*", end - 2);
    if (source.startsWith("/**", start)) {
      Text text = new Text();
      int line = line(start);
      String prose =
          NAME.matcher(source.substring(start + 3, end - 2))
              .replaceAll(name -> name.group().replaceAll("\\S", "x"));
      for (String comment : prose.split("\n", -1)) {
        text.add(comment.replaceFirst("^\\s*\\*", ""), line++);
        text.add(" ", line);
      }
      keep(text);
    }
  }

  private void literal(LiteralTree tree, Text text) {
    String value = (String) tree.getValue();
    int line = line(start(tree));
    if (!source.startsWith("\"\"\"", start(tree))) {
      text.add(value, line);
      return;
    }
    for (String part : value.split("\n", -1)) {
      text.add(part, ++line);
      text.add(" ", line);
    }
  }

  private void keep(Text text) {
    if (text.words.chars().anyMatch(Character::isLetter)) {
      passages.add(text.passage(file));
    }
  }

  private static void flatten(ExpressionTree tree, List<ExpressionTree> terms) {
    if (tree.getKind() == Tree.Kind.PLUS) {
      flatten(((BinaryTree) tree).getLeftOperand(), terms);
      flatten(((BinaryTree) tree).getRightOperand(), terms);
    } else {
      terms.add(tree);
    }
  }

  private static boolean isString(Tree tree) {
    return tree.getKind() == Tree.Kind.STRING_LITERAL;
  }

  private int start(Tree tree) {
    return (int) positions.getStartPosition(unit, tree);
  }

  private int line(int position) {
    return (int) unit.getLineMap().getLineNumber(position);
  }

  /** Grows to a passage. */
  private static final class Text {
    private final StringBuilder words = new StringBuilder();
    private final List<Integer> lines = new ArrayList<>();

    void add(String part, int line) {
      String spaced = part.replaceAll("\\s+", " ");
      boolean gap = words.isEmpty() || words.charAt(words.length() - 1) == ' ';
      String added = gap ? spaced.stripLeading() : spaced;
      words.append(added);
      lines.addAll(Collections.nCopies(added.length(), line));
    }

    Passage passage(Path file) {
      return new Passage(
          file, words.toString(), lines.stream().mapToInt(Integer::intValue).toArray());
    }
  }
}
