/** Real processes under random faults, and everything that arrived compared with the ledger. */
@NullMarked
package io.waybill.torture;

import org.jspecify.annotations.NullMarked;
