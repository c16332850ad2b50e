/** The actuator in an application. */
package io.waybill.spring.actuate;
