import hashlib
import hmac
import json
import os
import re
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["WEBHOOK_SECRET"].encode()  # the whole secret, including whsec_


def is_genuine(body: bytes, header: str) -> bool:
    match = re.fullmatch(r"t=([0-9]{1,15})((?:,v[0-9]+=[^,]+){1,9})", header)
    if match is None:
        return False
    t, entries = match.groups()
    expected = b"v1=" + hmac.new(SECRET, t.encode() + b"." + body, hashlib.sha256).hexdigest().encode()
    matches = [hmac.compare_digest(expected, entry.encode()) for entry in entries.split(",")]
    return any(matches) and abs(int(time.time()) - int(t)) <= 300


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        genuine = is_genuine(body, self.headers.get("Service-Signature", ""))
        if genuine:
            envelope = json.loads(body)
            print(envelope.get("type"), envelope.get("id"), flush=True)
        self.send_response(204 if genuine else 400)
        self.end_headers()


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", 8080))), Receiver).serve_forever()
