// What stands beside a batch, outside of its hash: which request each command is (origins.ts), and
// which order limit it has used. Every process that applies the batch counts the same orders, so
// the next holder of the lease goes on where the last one was.

import { assert, isFault } from '../std/assert.ts';
import {
  createByteReader,
  createByteWriter,
  readBytes,
  readInteger,
  readUint16,
  writeBytes,
  writeInteger,
  writeUint16,
  writtenBytes,
} from '../std/bytes.ts';
import { LinkBreach } from './frameReader.ts';
import { decodeOrigins, encodeOrigins, type Origin } from './origins.ts';

/** The limit that an order has used, as the holder of the lease counted it. */
export type OrderCharge = {
  readonly account: number;
  /** The number of its API key; 0: it came with a token. */
  readonly key: number;
  /** When the window of ten seconds began in which it counts. */
  readonly window: number;
};

export type Beside = {
  readonly origin?: Origin | undefined;
  readonly charge?: OrderCharge | undefined;
};

const nothing = Buffer.alloc(0);
const placesMax = 0xffff;

/** One for each command, in their order. Without any origin or charge the bytes are empty. */
export function encodeBeside(besides: readonly (Beside | undefined)[]): Buffer {
  const origins = encodeOrigins(besides.map((beside) => beside?.origin));
  const charges = new Map<string, { readonly place: number; readonly charge: OrderCharge }>();
  const places = besides.map((beside) => placeOf(charges, beside?.charge));
  if (origins.length === 0 && charges.size === 0) return nothing;
  const writer = createByteWriter(origins.length + 32 * charges.size + 2 * besides.length + 8);
  writeBytes(writer, origins);
  writeUint16(writer, charges.size);
  for (const { charge } of charges.values()) {
    writeInteger(writer, charge.account);
    writeInteger(writer, charge.key);
    writeInteger(writer, charge.window);
  }
  if (charges.size > 0) for (const place of places) writeUint16(writer, place);
  return writtenBytes(writer);
}

/** Orders of one key in one window share a place; zero stands for no charge. */
function placeOf(
  charges: Map<string, { readonly place: number; readonly charge: OrderCharge }>,
  charge: OrderCharge | undefined,
): number {
  if (charge === undefined) return 0;
  const name = `${charge.account} ${charge.key} ${charge.window}`;
  const known = charges.get(name);
  if (known !== undefined) return known.place;
  const place = charges.size + 1;
  assert(place <= placesMax, 'a batch has fewer commands than places for charges');
  charges.set(name, { place, charge });
  return place;
}

/** Throws `LinkBreach` when the bytes do not stand beside `count` commands. */
export function decodeBeside(bytes: Buffer, count: number): Beside[] {
  if (bytes.length === 0) return Array.from({ length: count }, () => ({}));
  try {
    const reader = createByteReader(bytes);
    const origins = decodeOrigins(readBytes(reader), count);
    const charges = Array.from({ length: readUint16(reader) }, () => {
      const [account, key] = [readInteger(reader), readInteger(reader)];
      return { account, key, window: readInteger(reader) };
    });
    const besides = origins.map((origin) => {
      const place = charges.length === 0 ? 0 : readUint16(reader);
      const charge = charges[place - 1];
      if (place > 0 && charge === undefined) throw new LinkBreach('a charge names no limit');
      return { origin, charge };
    });
    if (reader.offset !== reader.end) throw new LinkBreach('what stands beside is too long');
    return besides;
  } catch (error) {
    if (!isFault(error)) throw error;
    throw new LinkBreach(`what stands beside cannot be read: ${error.message}`, { cause: error });
  }
}
