"""Log lines about events."""

import logging


class EventLog(logging.LoggerAdapter):
    """Lines about one event: each has its id and its trace.

    They stand in the text, and as eventId, eventType and traceId in the record, for formatters. The
    event is None for a message that is none.
    """

    def __init__(self, logger, about, event):
        fields = {
            "eventId": None if event is None else event.id,
            "eventType": None if event is None else event.type,
            "traceId": None if event is None else event.trace_id,
        }
        super().__init__(logger, fields)
        self._about = about

    def log(self, level, msg, *args, **kwargs):
        """Takes a format as loggers do: what has happened to the event, and what happens next."""
        if self.isEnabledFor(level):
            named = (self._about, self.extra["eventId"] or "none", self.extra["traceId"] or "none")
            line = "%s: event %s (trace %s) " + msg
            self.logger.log(level, line, *named, *args, extra=self.extra, **kwargs)
