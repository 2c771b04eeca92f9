// The log as anchors see it: batches at which trees of what is owed are made, by the maker that
// replicas have. What a replica forgets with a restart is known to the judge here. It can be put
// back to an earlier state, as by an old backup.

import { keccak256, toHex } from 'viem';
import { anchorOf, claimOfAnchor } from '../../src/chain/anchor/anchorOf.ts';
import { textOf } from '../../src/chain/service/askQuorum.ts';
import type { Anchor } from '../../src/chain/vaultTypes.ts';
import type { Exchange } from '../../src/engine/views/exchange.ts';
import {
  createTreeMaker,
  type TreeClaim,
  type TreeJudgement,
  type TreeMaker,
} from '../../src/solvency/createTreeMaker.ts';
import { finish } from '../../src/std/finish.ts';

export type SimulatedTrees = {
  /** A stretch of the log's time ends: the next batch has a tree. */
  readonly make: (exchange: Exchange) => void;
  readonly newest: () => TreeClaim | undefined;
  readonly judge: (claim: TreeClaim) => TreeJudgement;
  /** The replica begins anew where the log is. */
  readonly restart: () => void;
  /** Whether the log has made the tree of this anchor, whatever replicas remember. */
  readonly isOfLog: (anchor: Anchor) => boolean;
  /** The batch of the log's last tree; 0: none. */
  readonly last: () => number;
  readonly backup: () => () => void;
};

const intervalMs = 3_600_000;

export function createSimulatedTrees(chainId: number): SimulatedTrees {
  let position = 0;
  let salt = 0;
  /** By batch, what an anchor of it says. */
  let known = new Map<number, string>();
  const open = (): TreeMaker => {
    const clock = { now: () => 0 };
    const made = createTreeMaker({
      ...{ place: undefined, chainId, intervalMs, clock },
      report: (message) => {
        throw new Error(message);
      },
    });
    made.begin({ position, time: position * intervalMs });
    return made;
  };
  let maker = open();
  const nameOf = (anchor: Anchor): string => textOf({ ...anchor, epoch: 0n });
  return {
    make: (exchange) => {
      position += 1;
      salt += 1;
      // Another log has other hashes at the same places.
      const batchHash = keccak256(toHex(`${position} ${salt}`)).slice(2);
      finish(maker.passed({ exchange, position, time: position * intervalMs, batchHash }));
      while (maker.work(Number.POSITIVE_INFINITY)) {}
      const made = maker.newest();
      if (made !== undefined) known.set(made.position, nameOf(anchorOf(made, 0n)));
    },
    newest: () => maker.newest(),
    judge: (claim) => maker.judge(claim),
    restart: () => {
      maker = open();
    },
    isOfLog: (anchor) => known.get(claimOfAnchor(anchor).position) === nameOf(anchor),
    last: () => [...known.keys()].at(-1) ?? 0,
    backup: () => {
      const kept = { position, known: new Map(known) };
      return () => {
        position = kept.position;
        known = kept.known;
        maker = open();
      };
    },
  };
}
