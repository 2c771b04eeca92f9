// The CRC32 of a text, as the depth channel computes it (WS-2).

const polynomial = 0xedb88320;

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit += 1) {
    remainder = remainder & 1 ? (remainder >>> 1) ^ polynomial : remainder >>> 1;
  }
  return remainder >>> 0;
});

/** Takes ASCII; unsigned. */
export function crc32(text: string): number {
  let remainder = 0xffffffff;
  for (let at = 0; at < text.length; at += 1) {
    remainder = (remainder >>> 8) ^ table[(remainder ^ text.charCodeAt(at)) & 255]!;
  }
  return (remainder ^ 0xffffffff) >>> 0;
}
