// What must hold of the log and of its copies, whatever has died: it is one chain, nothing that was
// read once is ever replaced, no request is in it twice, every process has the same, and a replay
// of every copy gives the same state and all of the money.

import { findDataDirectory } from '../src/bin/dataDirectory.ts';
import { verifyDirectory } from '../src/bin/verify.ts';
import { decodeCommand } from '../src/engine/codec/commandCodec.ts';
import type { Command } from '../src/engine/command.ts';
import { openLogReader } from '../src/log/file/openLogReader.ts';
import { type LogBatch, type LogPlace, logBeginning } from '../src/log/log.ts';
import { endClient, openSession } from '../src/log/postgres/openSession.ts';
import { readPostgresBatches } from '../src/log/postgres/readPostgresBatches.ts';
import { createByteReader } from '../src/std/bytes.ts';

export type Auditor = {
  /** Takes in the batches that have come since the last call. Throws what is wrong with them. */
  readonly readLog: (url: string) => Promise<void>;
  /** Takes in one batch. Throws when it has a request that was executed before. */
  readonly takeBatch: (batch: Pick<LogBatch, 'position' | 'hash' | 'count' | 'commands'>) => void;
  /** Whether the order that its client calls so is in what was read. */
  readonly hasOrder: (clientOrderId: string) => boolean;
  /** The local copy of a process is the log as it was read. Throws when it is not. */
  readonly checkCopy: (name: string, data: string) => void;
  /** Replays every copy; gives the last position of all. Throws the first difference. */
  readonly verifyCopies: (copies: ReadonlyMap<string, string>) => number;
  /** Batches and commands so far. */
  readonly figures: () => { readonly batches: number; readonly commands: number };
};

export function createAuditor(): Auditor {
  let place: LogPlace = logBeginning;
  let commands = 0;
  /** By the client's own id of an order, which no client uses twice: the batch that has it. */
  const seen = new Map<string, number>();
  const hashes: string[] = [logBeginning.hash];
  const takeBatch: Auditor['takeBatch'] = ({ position, hash, count, commands: bytes }) => {
    const reader = createByteReader(bytes);
    for (let index = 0; index < count; index += 1) {
      const { command } = decodeCommand(reader);
      commands += 1;
      const name = nameOf(command);
      if (name === undefined) continue;
      const before = seen.get(name);
      if (before !== undefined) {
        throw new Error(`order ${name} was executed twice: in batches ${before} and ${position}`);
      }
      seen.set(name, position);
    }
    place = { position, hash: hash.toString('hex') };
    hashes[position] = place.hash;
  };
  return {
    takeBatch,
    hasOrder: (clientOrderId) => seen.has(clientOrderId),
    readLog: async (url) => {
      const { client } = await openSession({
        ...{ url, applicationName: 'evermark campaign', replicatedStorage: false },
      });
      try {
        // Up to here its holder has said that it is durable.
        const { rows } = await client.query('select durable from evermark.lease');
        for await (const batch of readPostgresBatches(client, place, rows[0].durable)) {
          takeBatch(batch);
        }
      } finally {
        endClient(client);
      }
    },
    checkCopy: (name, data) => {
      const { position, hash } = openLogReader(findDataDirectory(data).log).head();
      const expected = hashes[position];
      // It may be further than the log was when it was read.
      if (expected === undefined || hash.toString('hex') === expected) return;
      throw new Error(`${name} has another batch ${position} than the log`);
    },
    verifyCopies: (copies) => verifyAll(copies),
    figures: () => ({ batches: place.position, commands }),
  };
}

/** undefined: it places no order, or one that its client does not name. */
function nameOf(command: Command): string | undefined {
  if (command.kind !== 'placeOrder' && command.kind !== 'placeTrigger') return undefined;
  return command.clientOrderId === '' ? undefined : command.clientOrderId;
}

function verifyAll(copies: ReadonlyMap<string, string>): number {
  const states = new Map<number, string>();
  for (const [name, data] of copies) {
    const report = verifyDirectory(findDataDirectory(data));
    const { ok, position, batch_hash, state_hash, event_hash, invariants } = report;
    const { difference } = invariants.figures;
    if (!ok || difference !== '0') {
      throw new Error(`verify of ${name}, difference ${difference}: ${JSON.stringify(report)}`);
    }
    const state = JSON.stringify({ batch_hash, state_hash, event_hash });
    const other = states.get(position);
    if (other !== undefined && other !== state) {
      throw new Error(`the copies differ at batch ${position}: ${state} and ${other}`);
    }
    states.set(position, state);
  }
  return Math.max(...states.keys());
}
