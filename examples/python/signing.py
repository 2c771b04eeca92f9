"""Signs requests for the FAPI surface with the standard library alone.

    KEY=... SECRET=... python3 signing.py http://127.0.0.1:8080

prints the balance of the account. `order.py` imports `signed` from here.
"""

import hashlib
import hmac
import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request


class Refused(Exception):
    """The exchange's answer to a request that it did not accept."""

    def __init__(self, status, answer):
        super().__init__(f"{status} {answer}")
        self.status = status
        self.answer = answer


def signature(secret, query, body=""):
    """hex(HMAC-SHA256(secret, query + body)): the query without `signature`, the body as it is sent."""
    return hmac.new(secret.encode(), (query + body).encode(), hashlib.sha256).hexdigest()


def signed(base, key, secret, method, path, **parameters):
    """Sends a signed request and returns the parsed answer.

    GET and DELETE carry their parameters in the query, POST and PUT in a JSON body. Decimals are
    texts, because a float cannot hold every price.
    """
    in_query = method in ("GET", "DELETE")
    pairs = dict(parameters) if in_query else {}
    pairs["timestamp"] = int(time.time() * 1000)
    query = urllib.parse.urlencode(pairs)
    body = "" if in_query else json.dumps(parameters)
    url = f"{base}{path}?{query}&signature={signature(secret, query, body)}"
    headers = {"X-MBX-APIKEY": key}
    if body:
        headers["Content-Type"] = "application/json"
    request = urllib.request.Request(url, body.encode() or None, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=10) as response:
            return json.load(response)
    except urllib.error.HTTPError as failure:
        raise Refused(failure.code, failure.read().decode()) from None


if __name__ == "__main__":
    answer = signed(sys.argv[1], os.environ["KEY"], os.environ["SECRET"], "GET", "/fapi/v2/balance")
    print(json.dumps(answer, indent=2))
