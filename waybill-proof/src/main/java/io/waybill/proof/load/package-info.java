/** What tables are filled with, so that measurements and the console look at the same. */
@NullMarked
package io.waybill.proof.load;

import org.jspecify.annotations.NullMarked;
