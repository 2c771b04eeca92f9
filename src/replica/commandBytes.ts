// The bytes of one command outside of a batch: as one process passes it on to another.

import { decodeCommand, encodeCommand } from '../engine/codec/commandCodec.ts';
import type { Command } from '../engine/command.ts';
import { assert } from '../std/assert.ts';
import { createByteReader, createByteWriter, writtenBytes } from '../std/bytes.ts';
import type { Time } from '../units/units.ts';

/** The process that writes it gives it its deadline. */
const noDeadline = 0 as Time;

export function commandBytes(command: Command): Buffer {
  const writer = createByteWriter(256);
  encodeCommand(writer, command, noDeadline);
  return writtenBytes(writer);
}

/** Faults unless the bytes are exactly one command. */
export function readCommandBytes(bytes: Uint8Array): Command {
  const reader = createByteReader(Buffer.from(bytes));
  const { command } = decodeCommand(reader);
  assert(reader.offset === reader.end, 'a command is followed by more bytes');
  return command;
}
