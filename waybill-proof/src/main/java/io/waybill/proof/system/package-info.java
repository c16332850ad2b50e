/** What the documents of the systems say that Waybill knows by name, for tests to compare with. */
@NullMarked
package io.waybill.proof.system;

import org.jspecify.annotations.NullMarked;
