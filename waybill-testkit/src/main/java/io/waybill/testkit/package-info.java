/** For tests: contract suites for the seams of Waybill, and a broker in memory. */
@NullMarked
package io.waybill.testkit;

import org.jspecify.annotations.NullMarked;
