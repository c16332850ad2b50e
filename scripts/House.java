import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.ToolProvider;

/**
 * Measures the main sources of a checkout: sizes, public types, cycles of packages, and where relays and inboxes are
 * put together. Started by {@code ./dev house [FOLDER]}. It parses and compiles nothing.
 */
public final class House {
  private static final String ALL = "all";
  private static final String ROW = "%-30s %6s %7s %6s %6s %6s %9s %6s %9s%n";

  /** Shells, engines and what they are made of: who constructs one puts a relay or an inbox together. */
  private static final Set<String> PARTS =
      Set.of("Relay", "Inbox", "Supervisor", "RelayEngine", "InboxEngine", "RoutedMapper");

  private record SourceFile(String module, String name, long lines) {}

  private record Type(String module, String pack, boolean exported) {}

  private final Path root;
  private final List<SourceFile> files = new ArrayList<>();
  private final List<Type> types = new ArrayList<>();
  private final Map<String, List<Long>> bodies = new TreeMap<>();
  private final Map<String, Set<String>> arrows = new TreeMap<>();
  private final Map<String, Set<String>> constructed = new TreeMap<>();

  private House(Path root) {
    this.root = root;
  }

  public static void main(String[] arguments) throws IOException {
    House house = new House(Path.of(arguments.length > 0 ? arguments[0] : "."));
    for (Path module : house.modules()) {
      house.measure(module);
    }
    house.print();
  }

  private List<Path> modules() throws IOException {
    try (Stream<Path> folders = Files.list(root)) {
      return folders.filter(folder -> Files.isDirectory(folder.resolve("src/main/java"))).sorted().toList();
    }
  }

  private void measure(Path module) throws IOException {
    var compiler = ToolProvider.getSystemJavaCompiler();
    try (var manager = compiler.getStandardFileManager(null, null, null);
        Stream<Path> all = Files.walk(module.resolve("src/main/java"))) {
      List<Path> sources =
          all.filter(file -> file.toString().endsWith(".java") && !file.endsWith("package-info.java")).toList();
      var units = manager.getJavaFileObjectsFromPaths(sources);
      JavacTask task = (JavacTask) compiler.getTask(null, manager, null, List.of("-proc:none"), null, units);
      SourcePositions positions = Trees.instance(task).getSourcePositions();
      for (CompilationUnitTree unit : task.parse()) {
        new Reader(module.getFileName().toString(), unit, positions).read();
      }
    }
  }

  private final class Reader extends TreeScanner<Void, Void> {
    private final String module;
    private final CompilationUnitTree unit;
    private final SourcePositions positions;
    private final String file;

    Reader(String module, CompilationUnitTree unit, SourcePositions positions) {
      this.module = module;
      this.unit = unit;
      this.positions = positions;
      this.file = Path.of(unit.getSourceFile().getName()).getFileName().toString();
    }

    void read() throws IOException {
      String pack = String.valueOf(unit.getPackageName());
      files.add(new SourceFile(module, file, unit.getSourceFile().getCharContent(true).toString().lines().count()));
      for (Tree tree : unit.getTypeDecls()) {
        if (tree instanceof ClassTree type) {
          boolean open = type.getModifiers().getFlags().contains(Modifier.PUBLIC);
          types.add(new Type(module, pack, open && !pack.contains(".internal")));
        }
      }
      Set<String> targets = arrows.computeIfAbsent(pack, unused -> new TreeSet<>());
      for (ImportTree each : unit.getImports()) {
        String name = each.getQualifiedIdentifier().toString();
        if (name.startsWith("io.waybill.")) {
          targets.add(packageOf(name));
        }
      }
      targets.remove(pack);
      scan(unit, null);
    }

    private static String packageOf(String name) {
      return Stream.of(name.split("\\."))
          .takeWhile(part -> Character.isLowerCase(part.charAt(0)))
          .collect(Collectors.joining("."));
    }

    @Override
    public Void visitMethod(MethodTree method, Void unused) {
      if (method.getBody() != null) {
        LineMap lines = unit.getLineMap();
        long from = lines.getLineNumber(positions.getStartPosition(unit, method.getBody()));
        long to = lines.getLineNumber(positions.getEndPosition(unit, method.getBody()));
        bodies.computeIfAbsent(module, each -> new ArrayList<>()).add(to - from + 1);
      }
      return super.visitMethod(method, unused);
    }

    @Override
    public Void visitNewClass(NewClassTree created, Void unused) {
      String name = created.getIdentifier().toString();
      if (PARTS.contains(name)) {
        constructed.computeIfAbsent(name, each -> new TreeSet<>()).add(module + "/" + file);
      }
      return super.visitNewClass(created, unused);
    }
  }

  private void print() {
    System.out.printf(ROW, "module", "files", "lines", "p50", "p90", "most", "body p99", "types", "exported");
    files.stream().map(SourceFile::module).distinct().sorted().forEach(this::printModule);
    printModule(ALL);
    System.out.println();
    System.out.println("Files above 350 lines: " + above(350));
    System.out.println("Packages above 40 types: " + crowded());
    List<Set<String>> cycles = new Cycles(arrows).find();
    System.out.println("Cycles of packages: " + cycles.size() + (cycles.isEmpty() ? "" : " " + cycles));
    constructed.forEach((name, where) -> System.out.println("new " + name + ": " + String.join(", ", where)));
  }

  private void printModule(String module) {
    boolean all = module.equals(ALL);
    List<Long> lengths =
        files.stream().filter(file -> all || file.module().equals(module)).map(SourceFile::lines).toList();
    List<Long> own =
        all ? bodies.values().stream().flatMap(List::stream).toList() : bodies.getOrDefault(module, List.of());
    List<Type> ownTypes = types.stream().filter(type -> all || type.module().equals(module)).toList();
    System.out.printf(
        ROW,
        module,
        lengths.size(),
        lengths.stream().mapToLong(Long::longValue).sum(),
        percentile(lengths, 50),
        percentile(lengths, 90),
        percentile(lengths, 100),
        percentile(own, 99),
        ownTypes.size(),
        ownTypes.stream().filter(Type::exported).count());
  }

  private static long percentile(Collection<Long> values, int percent) {
    List<Long> sorted = values.stream().sorted().toList();
    return sorted.isEmpty() ? 0 : sorted.get(Math.min(sorted.size() - 1, sorted.size() * percent / 100));
  }

  private String above(int limit) {
    return files.stream()
        .filter(file -> file.lines() > limit)
        .map(file -> file.name() + " " + file.lines())
        .sorted()
        .toList()
        .toString();
  }

  private String crowded() {
    return types.stream().collect(Collectors.groupingBy(Type::pack, TreeMap::new, Collectors.counting())).entrySet()
        .stream()
        .filter(each -> each.getValue() > 40)
        .toList()
        .toString();
  }

  /** Strongly connected components of more than one package, by Tarjan's algorithm. */
  private static final class Cycles {
    private final Map<String, Set<String>> arrows;
    private final List<Set<String>> found = new ArrayList<>();
    private final Map<String, Integer> index = new HashMap<>();
    private final Map<String, Integer> low = new HashMap<>();
    private final Deque<String> stack = new ArrayDeque<>();

    Cycles(Map<String, Set<String>> arrows) {
      this.arrows = arrows;
    }

    List<Set<String>> find() {
      for (String pack : arrows.keySet()) {
        if (!index.containsKey(pack)) {
          visit(pack);
        }
      }
      return found;
    }

    private void visit(String pack) {
      index.put(pack, index.size());
      low.put(pack, index.get(pack));
      stack.push(pack);
      for (String next : arrows.getOrDefault(pack, Set.of())) {
        if (!index.containsKey(next)) {
          visit(next);
          low.merge(pack, low.get(next), Math::min);
        } else if (stack.contains(next)) {
          low.merge(pack, index.get(next), Math::min);
        }
      }
      if (low.get(pack).equals(index.get(pack))) {
        Set<String> component = new TreeSet<>();
        while (!component.contains(pack)) {
          component.add(stack.pop());
        }
        if (component.size() > 1) {
          found.add(component);
        }
      }
    }
  }
}
