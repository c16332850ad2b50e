/**
 * Threads for background work: waiting, naming and stopping. The work itself is in other packages.
 */
@NullMarked
package io.waybill.internal.work;

import org.jspecify.annotations.NullMarked;
