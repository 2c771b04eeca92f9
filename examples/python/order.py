"""Places a limit order far below the mark, reads it, and cancels it.

    KEY=... SECRET=... python3 order.py http://127.0.0.1:8080 BTCUSDT
"""

import json
import os
import sys
import urllib.request
from decimal import ROUND_DOWN, Decimal

from signing import Refused, signed


def get(base, path):
    with urllib.request.urlopen(base + path, timeout=10) as response:
        return json.load(response)


def market_of(base, symbol):
    """The steps of a market's prices and quantities, and the least notional of an order."""
    symbols = get(base, "/fapi/v1/exchangeInfo")["symbols"]
    [market] = [each for each in symbols if each["symbol"] == symbol]
    filters = {each["filterType"]: each for each in market["filters"]}
    tick = Decimal(filters["PRICE_FILTER"]["tickSize"])
    lot = Decimal(filters["LOT_SIZE"]["stepSize"])
    return tick, lot, Decimal(filters["MIN_NOTIONAL"]["notional"])


def steps(value, step):
    """The largest multiple of `step` that is not above `value`."""
    return (value / step).to_integral_value(ROUND_DOWN) * step


def main(base, symbol):
    key, secret = os.environ["KEY"], os.environ["SECRET"]
    tick, lot, notional = market_of(base, symbol)
    mark = Decimal(get(base, f"/fapi/v1/premiumIndex?symbol={symbol}")["markPrice"])
    price = steps(mark * Decimal("0.97"), tick)
    quantity = steps(notional * 2 / price, lot) + lot
    order = signed(
        base, key, secret, "POST", "/fapi/v1/order",
        symbol=symbol, side="BUY", type="LIMIT", timeInForce="GTC",
        quantity=format(quantity, "f"), price=format(price, "f"),
    )
    print(f"{order['orderId']}: buy {order['origQty']} at {order['price']}, {order['status']}")
    this = {"symbol": symbol, "orderId": order["orderId"]}
    try:
        ended = signed(base, key, secret, "DELETE", "/fapi/v1/order", **this)
    except Refused as refused:
        # -2011: it has filled meanwhile. After any other refusal it may still rest.
        if json.loads(refused.answer)["code"] != -2011:
            raise
        ended = signed(base, key, secret, "GET", "/fapi/v1/order", **this)
        print(refused)
    print(f"{ended['orderId']}: {ended['status']}")


if __name__ == "__main__":
    main(*sys.argv[1:3])
