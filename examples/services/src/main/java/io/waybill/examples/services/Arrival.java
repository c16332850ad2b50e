package io.waybill.examples.services;

import java.util.Map;

/**
 * A message as a client saw it that is none of the services.
 *
 * @param where topic or queue, with what tells the message from others there
 * @param body its body as text
 * @param headers its headers as texts
 */
record Arrival(String where, String body, Map<String, String> headers) {}
