// CRC-32C (Castagnoli): the checksum of everything on a disk. It detects damage, not forgery.

// Eight tables of 256 entries: each step processes eight bytes ("slicing by eight").
const tables = ((): Int32Array => {
  const table = new Int32Array(8 * 256);
  for (let byte = 0; byte < 256; byte += 1) {
    let rest = byte;
    for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? (rest >>> 1) ^ 0x82f63b78 : rest >>> 1;
    table[byte] = rest;
  }
  for (let byte = 0; byte < 256; byte += 1) {
    for (let k = 1; k < 8; k += 1) {
      const before = table[(k - 1) * 256 + byte]!;
      table[k * 256 + byte] = (before >>> 8) ^ table[before & 255]!;
    }
  }
  return table;
})();

/**
 * The checksum of `bytes`, unsigned. `before` is the checksum of the bytes before them, so that
 * `crc32c(b, crc32c(a))` is the checksum of a and b together.
 */
export function crc32c(bytes: Uint8Array, before = 0): number {
  const t = tables;
  let crc = ~before;
  let at = 0;
  for (const last = bytes.length - 8; at <= last; at += 8) {
    crc ^= bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    crc =
      t[1792 + (crc & 255)]! ^
      t[1536 + ((crc >>> 8) & 255)]! ^
      t[1280 + ((crc >>> 16) & 255)]! ^
      t[1024 + (crc >>> 24)]! ^
      t[768 + bytes[at + 4]!]! ^
      t[512 + bytes[at + 5]!]! ^
      t[256 + bytes[at + 6]!]! ^
      t[bytes[at + 7]!]!;
  }
  for (; at < bytes.length; at += 1) crc = (crc >>> 8) ^ t[(crc ^ bytes[at]!) & 255]!;
  return ~crc >>> 0;
}
