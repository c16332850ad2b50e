"""Spans of handlers, exported over OTLP/HTTP as JSON.

OpenTelemetry's SDK for Python is not among Debian's packages, and what is needed of it is little.
With the SDK installed, its tracer and exporter do the same.
"""

import contextlib
import dataclasses
import json
import logging
import os
import queue
import re
import secrets
import threading
import time
import urllib.request

TRACEPARENT = re.compile(r"00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})")
SAMPLED = 1
CONSUMER = 5
ERROR = 2
DEFAULT_DELAY_MILLIS = 5000
TIMEOUT_SECONDS = 5
MOST_WAITING = 2048

log = logging.getLogger(__name__)


class Tracing:
    """A span around each call of a handler, as a part of the trace that the message belongs to."""

    def __init__(self, export):
        """export takes a finished span, as OTLP has it in JSON; None for no spans at all."""
        self._export = export

    @contextlib.contextmanager
    def handle(self, event, topic):
        """Gives an event whose traceparent is that of the new span: what it causes belongs there."""
        if self._export is None:
            yield event
            return
        match = TRACEPARENT.fullmatch(event.traceparent or "")
        trace_id, parent_id, flags = match.groups() if match else (secrets.token_hex(16), None, "01")
        span_id = secrets.token_hex(8)
        span = {
            "traceId": trace_id,
            "spanId": span_id,
            "name": f"process {topic}",
            "kind": CONSUMER,
            "startTimeUnixNano": str(time.time_ns()),
            "attributes": [
                _attribute("messaging.system.name", "kafka"),
                _attribute("messaging.operation.type", "process"),
                _attribute("messaging.operation.name", "process"),
                _attribute("messaging.destination.name", topic),
                _attribute("messaging.message.id", event.id),
            ],
        }
        if parent_id is not None:
            span["parentSpanId"] = parent_id
        try:
            yield dataclasses.replace(event, traceparent=f"00-{trace_id}-{span_id}-{flags}")
        except Exception as error:
            span["status"] = {"code": ERROR}
            span["attributes"].append(_attribute("error.type", type(error).__name__))
            raise
        finally:
            span["endTimeUnixNano"] = str(time.time_ns())
            if int(flags, 16) & SAMPLED:
                self._export(span)


class OtlpExporter:
    """Sends spans from a thread of its own. Spans are dropped when too many wait."""

    def __init__(self, service, endpoint, delay_seconds):
        self._service = service
        self._delay_seconds = delay_seconds
        self._url = endpoint.rstrip("/") + "/v1/traces"
        self._spans = queue.Queue(MOST_WAITING)
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="otlp", daemon=True)
        self._thread.start()

    def __call__(self, span):
        with contextlib.suppress(queue.Full):
            self._spans.put_nowait(span)

    def stop(self):
        """Sends what is left."""
        self._stopping.set()
        self._thread.join(2 * TIMEOUT_SECONDS)

    def _run(self):
        while not self._stopping.wait(self._delay_seconds):
            self._send()
        self._send()

    def _send(self):
        spans = []
        with contextlib.suppress(queue.Empty):
            while True:
                spans.append(self._spans.get_nowait())
        if not spans:
            return
        body = {
            "resourceSpans": [
                {
                    "resource": {"attributes": [_attribute("service.name", self._service)]},
                    "scopeSpans": [{"scope": {"name": self._service}, "spans": spans}],
                }
            ]
        }
        request = urllib.request.Request(
            self._url, json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        try:
            urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS).close()
        except OSError as error:
            log.warning("%d spans were not taken (%s); they are dropped", len(spans), error)


def exporter(service):
    """To OTEL_EXPORTER_OTLP_ENDPOINT every OTEL_BSP_SCHEDULE_DELAY milliseconds; None without an endpoint."""
    endpoint = os.environ.get("OTEL_EXPORTER_OTLP_ENDPOINT")
    delay_millis = int(os.environ.get("OTEL_BSP_SCHEDULE_DELAY", DEFAULT_DELAY_MILLIS))
    return OtlpExporter(service, endpoint, delay_millis / 1000) if endpoint else None


def _attribute(name, value):
    return {"key": name, "value": {"stringValue": value}}
