// What must be true of a program that has just recovered: no promised change is lost, its state is
// exactly the state at that batch, and all records of the state agree with each other.

import type { Exchange } from '../../src/engine/exchange.ts';
import { checkInvariants } from '../../src/engine/invariants/invariants.ts';
import { readBatches } from '../../src/log/file/readBatches.ts';
import { readSkips } from '../../src/log/file/skip.ts';
import { findEndedOrder } from '../../src/market-data/endedOrders.ts';
import type { ReplicaState } from '../../src/replica/replicaState.ts';
import { createSkipIndex } from '../../src/replica/skipIndex.ts';
import { hashHex } from '../../src/std/hash.ts';
import type { AccountId, OrderId } from '../../src/units/units.ts';
import { countIn, type LifeWorld, logDirectory } from './lifeWorld.ts';
import { hashesOf, type Memory } from './memory.ts';
import type { EndedView, LifeView } from './ports.ts';

export function checkRecovery(world: LifeWorld, memory: Memory, state: ReplicaState): void {
  const { position } = state;
  const { promised, eventHashes, last } = memory;
  if (position < promised) {
    world.violate(`batch ${promised} was promised, the log now ends at batch ${position}`);
  }
  const known = eventHashes[position];
  const found = hashHex(state.eventHash);
  if (known !== undefined && known !== found) {
    world.violate(`the events up to batch ${position} were ${known}, recovered are ${found}`);
  }
  if (last !== undefined && last.position === position) {
    const now = hashesOf(state);
    countIn(world, 'statesCompared');
    if (now.stateHash !== last.stateHash || now.priceHash !== last.priceHash) {
      const before = `${last.stateHash} ${last.priceHash}`;
      const after = `${now.stateHash} ${now.priceHash}`;
      world.violate(`the state of batch ${position} was ${before}, recovered is ${after}`);
    }
  }
  // What is served from now on is promised too; batches after it were never promised.
  memory.promised = Math.max(position, promised);
  memory.eventHashes.length = position + 1;
  memory.eventHashes[position] = found;
  checkState(world, state.exchange, `batch ${position}`);
}

export function checkState(world: LifeWorld, exchange: Exchange, where: string): void {
  const { ok, failures } = checkInvariants(exchange);
  if (!ok) world.violate(`an invariant is broken at ${where}: ${failures.join('; ')}`);
}

/** The part of the state that a crowd may read. */
export function viewOf(world: LifeWorld, state: ReplicaState, when: LifeView['when']): LifeView {
  const { exchange, views, position, time } = state;
  const skips = createSkipIndex(readSkips(logDirectory, world.disk.disk));
  return {
    when,
    exchange,
    position,
    time,
    batchesAfter: (from) => readBatches(logDirectory, from + 1, position, world.disk.disk),
    isSkipped: (batch, index) => skips.get(batch)?.has(index) === true,
    endedOrder: (account, reference): EndedView | undefined => {
      const id = account as AccountId;
      const order =
        findEndedOrder(views.endedOrders, id, { clientOrderId: reference }) ??
        (/^\d+$/.test(reference)
          ? findEndedOrder(views.endedOrders, id, { id: Number(reference) as OrderId })
          : undefined);
      return order === undefined ? undefined : { status: order.status, executedLots: order.filled };
    },
  };
}
