// The reading feed: asks a node of a chain for the prices in contracts, round after round. A price
// counts while the node answers and follows its chain, and while the contract is updated in time.

import type { Clock } from '../../std/clock.ts';
import type { Prng } from '../../std/prng.ts';
import type { Scheduler } from '../../std/scheduler.ts';
import type { IndexFeed, Report } from '../indexFeed.ts';
import { createBackoff } from './backoff.ts';
import { type Complaints, createComplaints, faultOf, wholeSource } from './complaints.ts';
import {
  ageProblem,
  aheadSecondsMax,
  type ContractOracle,
  type ContractPrice,
  type Hex,
  refusedPrice,
} from './contractOracle.ts';
import type { FetchText } from './fetchText.ts';
import { type Round, startPollLoop } from './pollLoop.ts';
import { createPriceBoard, type PriceBoard } from './priceBoard.ts';
import { readContracts } from './readContracts.ts';

export type ContractFeedOptions = {
  readonly source: string;
  /** May contain a key: it is never shown. */
  readonly rpcUrl: string;
  readonly oracles: ReadonlyMap<string, ContractOracle>;
  /** When a contract's last update is older than this, its price does not count any more. */
  readonly heartbeatSeconds: number;
  readonly fetchText: FetchText;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly prng: Prng;
  readonly report: Report;
};

type Reading = Pick<
  ContractFeedOptions,
  'rpcUrl' | 'oracles' | 'heartbeatSeconds' | 'fetchText' | 'clock'
> & {
  readonly board: PriceBoard;
  readonly complaints: Complaints;
};

/** A feed that begins to read at once. */
export function createContractFeed(options: ContractFeedOptions): IndexFeed {
  const { source, clock, scheduler, report } = options;
  const complaints = createComplaints(source, report, clock);
  const board = createPriceBoard({ source, clock, orderIsClock: false });
  const reading: Reading = { ...options, board, complaints };
  const loop = startPollLoop({
    ask: (signal) => readRound(reading, signal),
    onFault: (error) => complaints.raise(wholeSource, faultOf(error)),
    backoff: createBackoff(options.prng),
    clock,
    scheduler,
  });
  return { source, poll: board.poll, close: loop.stop };
}

async function readRound(reading: Reading, signal: AbortSignal): Promise<Round> {
  const { rpcUrl, oracles, fetchText, clock, complaints } = reading;
  const calls = [...oracles.values()].flatMap((oracle) => oracle.calls);
  const read = await readContracts({ rpcUrl, calls, fetchText, signal });
  if (signal.aborted) return { good: false };
  if (read.kind === 'failed') {
    complaints.raise(wholeSource, `the node: ${read.problem}`);
    return { good: false, failed: { waitMsMin: read.retryAfterMs } };
  }
  // A node that has lost its chain still answers, but it has no new blocks.
  const now = Math.floor(clock.now() / 1000);
  if (Math.abs(now - read.blockTime) > aheadSecondsMax) {
    complaints.raise(
      wholeSource,
      'the last block and the clock of this machine are a minute apart',
    );
    return { good: false, failed: { waitMsMin: 0 } };
  }
  complaints.settle(wholeSource);
  let good = false;
  let first = 0;
  for (const [symbol, oracle] of oracles) {
    const returned = read.returned.slice(first, first + oracle.calls.length);
    first += oracle.calls.length;
    const problem = takePrice(reading, symbol, priceOf(oracle, returned), now);
    if (problem === undefined) complaints.settle(symbol);
    else complaints.raise(symbol, problem);
    good ||= problem === undefined;
  }
  return { good };
}

function priceOf(oracle: ContractOracle, returned: readonly (Hex | undefined)[]): ContractPrice {
  const answers = returned.filter((answer) => answer !== undefined);
  if (answers.length < oracle.calls.length) return refusedPrice('the contract refuses the call');
  try {
    return oracle.read(answers);
  } catch {
    return refusedPrice('it is no contract of this kind');
  }
}

function takePrice(
  { board, heartbeatSeconds }: Reading,
  symbol: string,
  price: ContractPrice,
  now: number,
): string | undefined {
  if (price.kind === 'refused') return price.problem;
  const { updatedAt } = price;
  const problem = ageProblem(updatedAt, now, heartbeatSeconds);
  return problem ?? board.take({ symbol, price: price.price, order: updatedAt });
}
