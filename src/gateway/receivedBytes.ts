// The bytes of a connection that have come and are not parsed yet (CON-1).

import { freeReceived } from '../std/bytes.ts';

export type ReceivedBytes = {
  rest: Buffer | undefined;
  /** The memory of `rest`, if it is too much to be parsed in one turn. */
  received: Buffer | undefined;
};

export function receive(to: ReceivedBytes, bytes: Buffer, bytesPerTurn: number): void {
  const { rest } = to;
  const whole = rest === undefined ? bytes : Buffer.concat([rest, bytes]);
  if (rest !== undefined) {
    dropRest(to);
    freeReceived(bytes);
  }
  to.rest = whole;
  if (whole.length > bytesPerTurn) to.received = whole;
}

/** Takes what may be parsed in one turn; undefined when there is nothing. */
export function takePiece(from: ReceivedBytes, bytesPerTurn: number): Buffer | undefined {
  const { rest, received } = from;
  if (rest === undefined) return undefined;
  // A copy, so that parsed requests do not keep all received memory.
  const piece = received === undefined ? rest : Buffer.from(rest.subarray(0, bytesPerTurn));
  if (rest.length > bytesPerTurn) from.rest = rest.subarray(bytesPerTurn);
  else dropRest(from);
  return piece;
}

/** The received bytes have been parsed, or will not be. */
export function dropRest(from: ReceivedBytes): void {
  if (from.received !== undefined) freeReceived(from.received);
  from.rest = undefined;
  from.received = undefined;
}
