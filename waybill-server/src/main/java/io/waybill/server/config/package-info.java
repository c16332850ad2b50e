/** The configuration of a standalone relay: read, checked once, then sealed. */
@NullMarked
package io.waybill.server.config;

import org.jspecify.annotations.NullMarked;
