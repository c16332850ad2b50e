/** A YAML document as a tree with line numbers, read without creating any object it names. */
@NullMarked
package io.waybill.server.yaml;

import org.jspecify.annotations.NullMarked;
