// What must be true of a chain service in every world: compared with the simulated chain itself, of
// which the service sees only what nodes say.

import type { Hex } from 'viem';
import type { Round } from '../../src/chain/service/createChainService.ts';
import { type ChainWorld, count } from './chainWorld.ts';
import type { SimulatedEngine } from './simulatedEngine.ts';
import { depositTotal, recordOf, type VaultState } from './simulatedVault.ts';

export type ChainJudge = {
  readonly wrongs: readonly string[];
  /** After every change of the chain. */
  readonly afterBlock: () => void;
  /** Only for rounds of a service that was alone. */
  readonly afterRound: (round: Round) => void;
  /** When all has come to rest: what is still open, what differs, and whether `last` is paid. */
  readonly atRest: (last: Hex | undefined) => void;
  /** From now on no batch may be paid: the vault knows payments that the engine has lost. */
  readonly forbidPayments: (why: string) => void;
};

/**
 * `isWithin`: no final block has gone away, and the log is whole. Without that, what was right can
 * have become wrong; then only what the service does afterwards counts.
 */
export function createChainJudge(world: ChainWorld, isWithin: () => boolean): ChainJudge {
  const wrongs: string[] = [];
  let forbidden: string | undefined;
  const { chain, engine } = world;
  const note = (wrong: string | undefined): void => {
    if (wrong !== undefined && wrongs.length < 10) wrongs.push(wrong);
  };
  world.onAct = (what) => {
    if (what === 'pay' && forbidden !== undefined) note(`pays although ${forbidden}`);
    const { vault } = chain.final();
    if (!isWithin() && isBroken(engine, vault)) note(`${what} although the chain differs`);
  };
  // The log that the service reads is always the present one, so this holds in every world.
  world.onReport = (report) => {
    count(world, 'reported');
    const judgement = world.reports.judge(report);
    if (judgement !== 'right') note(`report ${report.sequence} is sent and ${judgement}`);
  };
  world.onAnchor = (anchor) => {
    count(world, 'anchored');
    if (!world.trees.isOfLog(anchor)) note(`anchor ${anchor.epoch} is sent and not of the log`);
  };
  return {
    wrongs,
    afterBlock: () => {
      if (!isWithin()) return;
      const { vault } = chain.final();
      note(wrongCredit(engine, vault));
      note(wrongPayment(engine, vault));
    },
    afterRound: ({ block, isWhole }) => {
      // A planted mistake must show in money, not in figures of blocks that are not final.
      if (!isWithin() || !isWhole || block === undefined || world.control !== 'none') return;
      const { total, completed } = engine.state();
      const held = block.held - surplusAt(world, block.hash);
      if (total - completed !== held) note(`the vault has ${held}, not ${total - completed}`);
    },
    atRest: (last) => {
      const { vault } = chain.final();
      const { total, completed, open } = engine.state();
      if (open.size > 0) note(`${open.size} withdrawals have not ended`);
      if (total !== depositTotal(vault)) note(`${depositTotal(vault)} came, ${total} is credited`);
      if (completed !== vault.paidTotal) note(`${vault.paidTotal} is paid, ${completed} completed`);
      if (last !== undefined && engine.state().ended.get(last)?.end !== 'completed') {
        note('a withdrawal without any obstacle is not paid');
      }
      note(wrongCover(world, vault));
      note(wrongAnchor(world, vault));
      for (const [id, { end }] of engine.state().ended) {
        const isPaid = recordOf(vault, id).state === 'paid';
        if (isPaid !== (end === 'completed')) note(`${id} is ${end}, paid: ${isPaid}`);
      }
    },
    forbidPayments: (why) => {
      forbidden = why;
    },
  };
}

/** A deposit that the engine has credited and the final chain does not have. */
function wrongCredit(engine: SimulatedEngine, vault: VaultState): string | undefined {
  const { deposits } = engine.state();
  let before = 0n;
  for (const [at, { account, cumulative }] of vault.deposits.entries()) {
    const credited = deposits[at];
    if (credited === undefined) return undefined;
    if (credited.account !== account || credited.units !== cumulative - before) {
      return `deposit ${at + 1} is another one`;
    }
    before = cumulative;
  }
  return undefined;
}

/** A payment that no one requested so, or of a withdrawal that was given back. */
function wrongPayment(engine: SimulatedEngine, vault: VaultState): string | undefined {
  const { open, ended } = engine.state();
  for (const [id, record] of vault.records) {
    const requested = open.get(id) ?? ended.get(id);
    if (requested === undefined) return `${id} was never requested`;
    if (requested.to !== record.to || requested.units !== record.units) return `${id} is altered`;
    const isReleased = ended.get(id)?.end === 'released';
    if (record.state === 'paid' && isReleased) return `${id} is paid and released`;
  }
  return undefined;
}

/** The last anchor must be the log's last tree. */
export function wrongAnchor({ trees }: ChainWorld, { last }: VaultState): string | undefined {
  const { anchor } = last;
  const isLast = trees.isOfLog(anchor) && Number(anchor.logPosition) === trees.last();
  if (isLast || trees.last() === 0) return undefined;
  return `the last anchor is of batch ${anchor.logPosition} and not of ${trees.last()}`;
}

/** Right reports must cover the log up to its last period, one after the other. */
export function wrongCover({ reports }: ChainWorld, vault: VaultState): string | undefined {
  let reached = 0n;
  for (const report of vault.reports) {
    if (report.from === reached && reports.judge(report) === 'right') reached = report.to;
  }
  const border = reports.border();
  return reached === border ? undefined : `the reports end at ${reached} and not at ${border}`;
}

/** The engine has counted what the final chain does not have, or has completed what it has not. */
function isBroken(engine: SimulatedEngine, vault: VaultState): boolean {
  const { deposits, ended } = engine.state();
  if (deposits.length > vault.deposits.length || wrongCredit(engine, vault)) return true;
  return [...ended].some(
    ([id, { end }]) => end === 'completed' && recordOf(vault, id).state !== 'paid',
  );
}

function surplusAt({ chain }: ChainWorld, hash: Hex): bigint {
  let block = chain.head();
  while (block.hash !== hash && block.parent !== undefined) block = block.parent;
  return block.vault.surplus;
}
