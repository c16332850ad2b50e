/** Auto-configuration: turns properties into beans. */
@NullMarked
package io.waybill.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
