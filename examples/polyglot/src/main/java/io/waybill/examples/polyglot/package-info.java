/** Services in Node.js and Python that only insert events, and the relay that publishes them. */
@NullMarked
package io.waybill.examples.polyglot;

import org.jspecify.annotations.NullMarked;
