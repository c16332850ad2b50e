/** Handlers of an inbox. */
package io.waybill.spring.inbox;
