/** All flows of the console in a real browser, on real servers: what {@code ./dev console} runs. */
@NullMarked
package io.waybill.browser;

import org.jspecify.annotations.NullMarked;
