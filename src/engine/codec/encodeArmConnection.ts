// The commands of cancel on disconnect (COD-1) as bytes: to arm a connection, to disarm it, to end
// some.

import {
  type ByteReader,
  type ByteWriter,
  readFlag,
  readInteger,
  readUint16,
  readUint32,
  writeFlag,
  writeInteger,
  writeUint16,
  writeUint32,
} from '../../std/bytes.ts';
import type { AccountId, MarketId } from '../../units/units.ts';
import type { ArmConnection, DisarmConnection, EndConnections } from '../connectionCommand.ts';

/** Also of an armed connection in a snapshot. */
export function encodeMarketNumbers(writer: ByteWriter, markets: readonly MarketId[]): void {
  writeUint16(writer, markets.length);
  for (const market of markets) writeUint16(writer, market);
}

export function decodeMarketNumbers(reader: ByteReader): MarketId[] {
  const count = readUint16(reader);
  const markets: MarketId[] = [];
  for (let i = 0; i < count; i += 1) markets.push(readUint16(reader) as MarketId);
  return markets;
}

export function encodeArmConnection(writer: ByteWriter, command: ArmConnection): void {
  writeUint32(writer, command.account);
  writeInteger(writer, command.connection);
  encodeMarketNumbers(writer, command.markets);
}

export function decodeArmConnection(reader: ByteReader): ArmConnection {
  const account = readUint32(reader) as AccountId;
  const connection = readInteger(reader);
  return { kind: 'armConnection', account, connection, markets: decodeMarketNumbers(reader) };
}

export function encodeDisarmConnection(writer: ByteWriter, command: DisarmConnection): void {
  writeUint32(writer, command.account);
  writeInteger(writer, command.connection);
}

export function decodeDisarmConnection(reader: ByteReader): DisarmConnection {
  const account = readUint32(reader) as AccountId;
  return { kind: 'disarmConnection', account, connection: readInteger(reader) };
}

export function encodeEndConnections(writer: ByteWriter, { connections }: EndConnections): void {
  writeFlag(writer, connections !== undefined);
  if (connections === undefined) return;
  writeUint16(writer, connections.length);
  for (const connection of connections) writeInteger(writer, connection);
}

export function decodeEndConnections(reader: ByteReader): EndConnections {
  if (!readFlag(reader)) return { kind: 'endConnections', connections: undefined };
  const count = readUint16(reader);
  const connections: number[] = [];
  for (let i = 0; i < count; i += 1) connections.push(readInteger(reader));
  return { kind: 'endConnections', connections };
}
