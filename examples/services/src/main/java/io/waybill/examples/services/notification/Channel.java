package io.waybill.examples.services.notification;

/** How a notification reaches somebody. */
enum Channel {
  EMAIL,
  PUSH
}
