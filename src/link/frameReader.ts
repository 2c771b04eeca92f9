// Frames on a link: a length of four bytes, and as many bytes. The reader takes the bytes as they
// come, copies each frame once, and never holds more than one frame beyond what has come.

/** Thrown with a sentence for the journal: the peer does not speak as it must. */
export class LinkBreach extends Error {
  override name = 'LinkBreach';
}

/** A batch of the largest size with its origins fits. */
export const frameBytesMax = 20 * 1024 * 1024;
const lengthBytes = 4;

/** The frame of a message; it faults nothing, because the writer's bounds are smaller. */
export function frameOf(message: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(lengthBytes + message.length);
  frame.writeUInt32LE(message.length, 0);
  frame.set(message, lengthBytes);
  return frame;
}

export type FrameReader = {
  /** What has come and is in no frame yet, in its order. */
  chunks: Buffer[];
  bytes: number;
  /** The length of the frame that comes; undefined: it has not come. */
  length: number | undefined;
};

export const createFrameReader = (): FrameReader => ({ chunks: [], bytes: 0, length: undefined });

/** The messages that are whole with this chunk. Throws `LinkBreach`. */
export function* readFrames(reader: FrameReader, chunk: Buffer): Generator<Buffer> {
  reader.chunks.push(chunk);
  reader.bytes += chunk.length;
  for (;;) {
    if (reader.length === undefined) {
      if (reader.bytes < lengthBytes) return;
      const length = take(reader, lengthBytes).readUInt32LE(0);
      if (length === 0 || length > frameBytesMax) {
        throw new LinkBreach(`a frame of ${length} bytes came, and at most ${frameBytesMax} may`);
      }
      reader.length = length;
    }
    if (reader.bytes < reader.length) return;
    const message = take(reader, reader.length);
    reader.length = undefined;
    yield message;
  }
}

/** Removes the first `size` bytes and gives them. */
function take(reader: FrameReader, size: number): Buffer {
  const [first] = reader.chunks;
  const all =
    first !== undefined && first.length >= size
      ? first
      : Buffer.concat(reader.chunks, reader.bytes);
  const kept = all === first ? reader.chunks.slice(1) : [];
  const rest = all.subarray(size);
  reader.chunks = rest.length === 0 ? kept : [rest, ...kept];
  reader.bytes -= size;
  return all.subarray(0, size);
}
