/** Real servers for tests, and contract suites for the seams of Waybill. */
@NullMarked
package io.waybill.testkit;

import org.jspecify.annotations.NullMarked;
