/** The write API on a real database. */
@NullMarked
package io.waybill.testkit.append;

import org.jspecify.annotations.NullMarked;
