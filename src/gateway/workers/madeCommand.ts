// A command that a worker has made of a request, as bytes: with what the serving thread needs in
// order to admit it. The request itself stands behind it, for the case that this is not enough.

import {
  type AccountCommand,
  decodeAccountCommand,
  encodeCommand,
} from '../../engine/codec/commandCodec.ts';
import {
  type ByteReader,
  type ByteWriter,
  readNumber,
  readText,
  readUint16,
  writeNumber,
  writeText,
  writeUint16,
} from '../../std/bytes.ts';
import type { AccountId, Time } from '../../units/units.ts';

type Asked = {
  /** The timestamp that the good signature covers. */
  readonly timestamp: number;
  readonly apiKey: string;
  /** The client's network address, and the key that limits count it by. */
  readonly client: string;
  readonly limitKey: string;
  /** What its size adds to its weight. */
  readonly sizeWeight: number;
};

/** The account of the command is not known yet. */
export type MadeCommand = Asked & { readonly command: AccountCommand };

/** The same in the serving thread, which knows the account. */
export type ReceivedMade = Asked & {
  /** To be called before the next request is read. */
  readonly commandOf: (account: AccountId) => AccountCommand;
};

export function writeMade(writer: ByteWriter, made: MadeCommand): void {
  writeNumber(writer, made.timestamp);
  writeUint16(writer, made.sizeWeight);
  writeText(writer, made.apiKey);
  writeText(writer, made.client);
  // Usually both are the same.
  writeText(writer, made.limitKey === made.client ? '' : made.limitKey);
  // The replica gives it its deadline.
  encodeCommand(writer, made.command, 0 as Time);
}

/** The reader may be moved on: the command is read from where it stands now. */
export function readMade(reader: ByteReader): ReceivedMade {
  const timestamp = readNumber(reader);
  const sizeWeight = readUint16(reader);
  const apiKey = readText(reader);
  const client = readText(reader);
  const limitKey = readText(reader) || client;
  const at = reader.offset;
  const commandOf = (account: AccountId): AccountCommand => {
    const { offset } = reader;
    reader.offset = at;
    const command = decodeAccountCommand(reader, account);
    reader.offset = offset;
    return command;
  };
  return { timestamp, sizeWeight, apiKey, client, limitKey, commandOf };
}
