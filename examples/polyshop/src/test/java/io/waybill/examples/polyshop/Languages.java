package io.waybill.examples.polyshop;

import java.util.function.Supplier;
import org.junit.jupiter.api.Assumptions;

/** Leaves tests out where Node.js or Python can neither be found nor unpacked. */
final class Languages {
  private Languages() {}

  static void assumeNode() {
    assume(Tools::node);
    assume(Tools::npm);
  }

  static void assumePython() {
    assume(Tools::python);
  }

  private static void assume(Supplier<String> tool) {
    try {
      String unused = tool.get();
    } catch (MissingToolException e) {
      Assumptions.abort("LEFT OUT: " + e.getMessage());
    }
  }
}
