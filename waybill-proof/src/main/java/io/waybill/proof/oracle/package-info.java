/** What was committed against what was delivered: a ledger of business rows, spies, a verdict. */
@NullMarked
package io.waybill.proof.oracle;

import org.jspecify.annotations.NullMarked;
