// Serves the commands that a worker has made of requests. Everything that needs the state or counts
// is done here, by the same functions and in the same order as for a request that this thread has
// read (createFapiHandler.ts): gate, key, status, address list, timestamp, weight, orders.

import type { Apart, Operation } from '../../api/operation.ts';
import { must } from '../../std/assert.ts';
import type { Time } from '../../units/units.ts';
import { admitKey, findKey, type KeyProof, passGate } from '../admitKey.ts';
import { checkAge } from '../checkSignature.ts';
import type { Gateway } from '../gateway.ts';
import type { PendingRequest } from '../pendingRequest.ts';
import { performMade } from '../performOperation.ts';
import { createUsage, type Responder } from '../responder.ts';
import type { ReceivedMade } from './madeCommand.ts';
import { apartOf } from './makeCommand.ts';

/** `startedAt`: by the stopwatch of this thread. */
export type MadeRequest = {
  readonly made: ReceivedMade;
  readonly startedAt: number;
  readonly target: string;
};

export type MadeHandler = (request: MadeRequest, responder: Responder) => void;

/**
 * undefined: such requests are served as they came. That is so where other processes write, because
 * a request may have to wait for them.
 */
export function createMadeHandler(gateway: Gateway, row: Operation): MadeHandler | undefined {
  const apart = apartOf(row);
  if (apart === undefined || isShared(gateway)) return undefined;
  return (request, responder) => serve({ gateway, row, apart }, request, responder);
}

function isShared({ keyArrivals, replica }: Gateway): boolean {
  return keyArrivals !== undefined || replica.whenCurrent !== undefined;
}

type Parted = {
  readonly gateway: Gateway;
  readonly row: Operation;
  readonly apart: Apart<unknown>;
};

function serve(
  { gateway, row, apart }: Parted,
  { made, startedAt, target }: MadeRequest,
  responder: Responder,
): void {
  const now = gateway.clock.now() as Time;
  const { client, limitKey, sizeWeight, timestamp, apiKey } = made;
  // Without spreads: this is made for each order.
  const request: PendingRequest = {
    gateway,
    row,
    responder,
    usage: createUsage(),
    now,
    startedAt,
    client,
    limitKey,
    sizeWeight,
    idempotencyKey: '',
    method: row.method,
    target,
  };
  if (!passGate(request)) return;
  const weight = must(typeof row.weight === 'number' ? row.weight : undefined, 'it is fixed');
  const known = findKey(request, apiKey, weight);
  if (known === undefined) return;
  const proof: KeyProof = { isSigned: () => true, check: () => checkAge(timestamp, now) };
  const admitted = admitKey(request, known, proof, weight);
  if (admitted === undefined) return;
  performMade(request, apart, made.commandOf(known.account.id), admitted);
}
