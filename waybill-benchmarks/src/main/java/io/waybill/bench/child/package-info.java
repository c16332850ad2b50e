/** What runs in the candidates' own processes. */
@NullMarked
package io.waybill.bench.child;

import org.jspecify.annotations.NullMarked;
