/** What a relay follows: routes, formats, and what happens to failures. */
@NullMarked
package io.waybill.relay;

import org.jspecify.annotations.NullMarked;
