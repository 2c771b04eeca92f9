"""Logs a wallet in with the standard library alone: the address and the EIP-712 signature of a key.

    export PRIVATE_KEY=$(openssl rand -hex 32)
    python3 wallet.py address
    python3 wallet.py sign < nonce.json > login.json

`sign` reads the answer of GET /api/v1/auth/nonce and prints the body of POST /api/v1/auth/login.
This code shows what a wallet does. It takes different times for different keys, so use it for play
money only, and a real wallet for real money.
"""

import json
import os
import secrets
import sys

PRIME = 2**256 - 2**32 - 977
ORDER = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
BASE = (
    0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798,
    0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8,
)

RATE = 136
MASK = 2**64 - 1


def turned(lane, bits):
    bits %= 64
    return (lane << bits | lane >> (64 - bits)) & MASK


def permuted(lanes):
    """The permutation of Keccak: 24 rounds over 25 lanes; lane x, y stands at x + 5 * y."""
    register = 1
    for _ in range(24):
        columns = [0] * 5
        for place, lane in enumerate(lanes):
            columns[place % 5] ^= lane
        for place in range(25):
            x = place % 5
            lanes[place] ^= columns[(x + 4) % 5] ^ turned(columns[(x + 1) % 5], 1)
        x, y, moving = 1, 0, lanes[1]
        for step in range(24):
            x, y = y, (2 * x + 3 * y) % 5
            place = x + 5 * y
            moving, lanes[place] = lanes[place], turned(moving, (step + 1) * (step + 2) // 2)
        for row in range(0, 25, 5):
            old = lanes[row : row + 5]
            for x in range(5):
                lanes[row + x] = old[x] ^ (~old[(x + 1) % 5] & MASK & old[(x + 2) % 5])
        for power in range(7):
            if register & 1:
                lanes[0] ^= 1 << (2**power - 1)
            register = register << 1 ^ (register >> 7) * 0x171
    return lanes


def keccak(data):
    """Keccak-256 as Ethereum uses it; hashlib's SHA3-256 pads differently."""
    padded = bytearray(data + b"\x01" + bytes(-(len(data) + 1) % RATE))
    padded[-1] |= 0x80
    lanes = [0] * 25
    for start in range(0, len(padded), RATE):
        for place in range(RATE // 8):
            begin = start + 8 * place
            lanes[place] ^= int.from_bytes(padded[begin : begin + 8], "little")
        lanes = permuted(lanes)
    return b"".join(lane.to_bytes(8, "little") for lane in lanes[:4])


def added(one, other):
    """The sum of two points of secp256k1; None is the point at infinity."""
    if one is None or other is None:
        return other if one is None else one
    if one[0] == other[0]:
        if (one[1] + other[1]) % PRIME == 0:
            return None
        slope = 3 * one[0] * one[0] * pow(2 * one[1], -1, PRIME)
    else:
        slope = (other[1] - one[1]) * pow(other[0] - one[0], -1, PRIME)
    x = (slope * slope - one[0] - other[0]) % PRIME
    return x, (slope * (one[0] - x) - one[1]) % PRIME


def multiplied(factor):
    """The base point, `factor` times."""
    total, doubled = None, BASE
    while factor:
        if factor & 1:
            total = added(total, doubled)
        doubled = added(doubled, doubled)
        factor >>= 1
    return total


def address_of(key):
    x, y = multiplied(key)
    return "0x" + keccak(x.to_bytes(32, "big") + y.to_bytes(32, "big"))[12:].hex()


def struct_hash(data, name, values):
    """The hash of a flat struct of EIP-712: texts by their hash, all else as 32 bytes."""
    fields = data["types"][name]
    declared = ",".join(f"{field['type']} {field['name']}" for field in fields)
    words = [keccak(f"{name}({declared})".encode())]
    for field in fields:
        value = values[field["name"]]
        if field["type"] == "string":
            words.append(keccak(value.encode()))
        else:
            number = int(value, 16) if field["type"] == "address" else int(value)
            words.append(number.to_bytes(32, "big"))
    return keccak(b"".join(words))


def signature_of(key, data):
    """0x and r, s, v in hex; s in the lower half, as the exchange asks."""
    domain = struct_hash(data, "EIP712Domain", data["domain"])
    message = struct_hash(data, data["primaryType"], data["message"])
    digest = int.from_bytes(keccak(b"\x19\x01" + domain + message), "big")
    while True:
        chance = 1 + secrets.randbelow(ORDER - 1)
        x, y = multiplied(chance)
        r = x % ORDER
        s = pow(chance, -1, ORDER) * (digest + r * key) % ORDER
        if x < ORDER and r and s:
            break
    is_odd = y & 1
    if s > ORDER // 2:
        s, is_odd = ORDER - s, 1 - is_odd
    return f"0x{r:064x}{s:064x}{27 + is_odd:02x}"


def login_of(key, nonce):
    """The body of POST /api/v1/auth/login for the answer of GET /api/v1/auth/nonce."""
    return {
        "address": nonce["address"],
        "nonce": nonce["nonce"],
        "timestamp": nonce["timestamp"],
        "signature": signature_of(key, nonce["typed_data"]),
    }


if __name__ == "__main__":
    private_key = int(os.environ["PRIVATE_KEY"], 16)
    if sys.argv[1] == "address":
        print(address_of(private_key))
    else:
        print(json.dumps(login_of(private_key, json.load(sys.stdin))))
