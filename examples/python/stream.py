"""Prints messages of a channel: a WebSocket client with the standard library alone.

    python3 stream.py ws://127.0.0.1:8080/ws trades:BTCUSDT 10

ends after 10 messages of the channel. A real client also reconnects and resumes (the page of streams
says how); this one shows what is on the wire.
"""

import base64
import json
import os
import socket
import struct
import sys
import urllib.parse

TEXT, CLOSE, PING, PONG = 0x1, 0x8, 0x9, 0xA


class WebSocket:
    """A connection of RFC 6455 over plain TCP. `wss` needs ssl.create_default_context() around it."""

    def __init__(self, url):
        parts = urllib.parse.urlsplit(url)
        self.socket = socket.create_connection((parts.hostname, parts.port or 80), timeout=30)
        key = base64.b64encode(os.urandom(16)).decode()
        head = (
            f"GET {parts.path} HTTP/1.1\r\nHost: {parts.netloc}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        self.socket.sendall(head.encode())
        self.stream = self.socket.makefile("rb")
        status = self.stream.readline().decode().strip()
        if " 101 " not in status:
            raise ConnectionError(status)
        while self.stream.readline().strip():
            pass

    def send(self, text, opcode=TEXT):
        payload = text.encode() if isinstance(text, str) else text
        mask = os.urandom(4)
        length = len(payload)
        head = bytes([0x80 | opcode])
        head += bytes([0x80 | length]) if length < 126 else struct.pack("!BH", 0x80 | 126, length)
        masked = bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload))
        self.socket.sendall(head + mask + masked)

    def _frame(self):
        first, second = self._read(2)
        length = second & 0x7F
        if length == 126:
            [length] = struct.unpack("!H", self._read(2))
        elif length == 127:
            [length] = struct.unpack("!Q", self._read(8))
        return first & 0x80, first & 0x0F, self._read(length)

    def _read(self, count):
        read = self.stream.read(count)
        if len(read) < count:
            raise ConnectionError("the connection ended")
        return read

    def messages(self):
        """Yields each text; answers pings; ends when the other side closes."""
        text = b""
        while True:
            final, opcode, payload = self._frame()
            if opcode == PING:
                self.send(payload, PONG)
            elif opcode == CLOSE:
                return
            elif opcode != PONG:
                text += payload
                if final:
                    yield text.decode()
                    text = b""

    def close(self):
        self.send(b"", CLOSE)
        self.socket.close()


def main(url, channel, count):
    connection = WebSocket(url)
    connection.send(json.dumps({"type": "subscribe", "channel": channel}))
    left = int(count)
    for text in connection.messages():
        message = json.loads(text)
        if message["type"] == "error":
            raise SystemExit(f"{message['code']}: {message['message']}")
        print(text)
        if message["type"] != "subscribed":
            left -= 1
        if left == 0:
            break
    connection.close()


if __name__ == "__main__":
    main(*sys.argv[1:4])
