"""Prints each message of a topic as a line of JSON. usage: python3 kafka.py HOST:PORT TOPIC"""

import json
import os
import sys
import threading

from confluent_kafka import Consumer


def end_with_the_caller():
    sys.stdin.read()
    os._exit(0)


threading.Thread(target=end_with_the_caller, daemon=True).start()
broker, topic = sys.argv[1:]
consumer = Consumer(
    {
        "bootstrap.servers": broker,
        "group.id": "documented",
        "auto.offset.reset": "earliest",
        "topic.metadata.refresh.interval.ms": 1000,
    }
)
consumer.subscribe([topic])
while True:
    message = consumer.poll(1)
    if message is None or message.error():
        continue
    key = None if message.key() is None else message.key().decode()
    print(json.dumps({"place": topic, "key": key, "body": json.loads(message.value())}), flush=True)
