// A campaign: rounds of faults that a seed draws, under load, and auditors after each. The faults
// are those of the seed; what they meet differs from run to run, as real processes do.

import { createPrng, type Prng, seedOf } from '../src/std/prng.ts';
import type { PostgresTemplate } from '../test/fixtures/postgresServer.ts';
import { type Auditor, createAuditor } from './createAuditor.ts';
import { type Drawn, faults, textOf } from './faults.ts';
import { type Deployment, openDeployment } from './openDeployment.ts';
import { type Load, openLoad } from './openLoad.ts';
import { type Ending, type Member, until } from './openMember.ts';
import { openReaders, type Readers } from './openReaders.ts';

export type RoundsOptions = {
  readonly seed: number;
  /** The number of the first round: a later one begins a campaign in its middle. */
  readonly from: number;
  readonly rounds: number;
  readonly processes: number;
  /** Gateway workers of each process; none if absent. */
  readonly workers?: number;
  readonly template?: PostgresTemplate;
  /** The faults of a round; its generator depends on seed and round alone. */
  readonly draw: (prng: Prng, round: number) => readonly Drawn[];
  /** Receives a line for each round. */
  readonly say: (line: string) => void;
  /** Whether to begin no further round. */
  readonly isEnough?: () => boolean;
};

export type RoundsResult = {
  readonly rounds: number;
  readonly faults: Readonly<Record<string, number>>;
  readonly acknowledged: number;
  readonly batches: number;
  readonly commands: number;
  /** Processes that ended by themselves and were started again, by exit code. */
  readonly endings: Readonly<Record<string, number>>;
  /** The longest time without an acknowledgement, of each round. */
  readonly pausesMs: readonly number[];
  /** What was wrong, and how to repeat the round; empty: nothing. */
  readonly violations: readonly string[];
};

/** New accounts come after so many rounds: what an account remembers must stay small. */
const roundsOfGeneration = 20;
const firstServedMs = 120_000;
/** Load before the faults of a round, and what is acknowledged after them. */
const quietMs = 800;
const acknowledgedAfter = 20;
/** A deployment without a fault must serve again in that time. */
const servedMs = 90_000;
const copiesMs = 90_000;
const roundMs = 300_000;
/** Few, so that faults meet the borders of partitions. */
const partitionPositions = 300;
/** Of each journal, after a violation. */
const journalShown = 4000;
/** Another process has the lease: its supervisor starts it again. */
const leaseLostCode = 3;

type Campaign = {
  readonly options: RoundsOptions;
  readonly deployment: Deployment;
  readonly auditor: Auditor;
  load: Load;
  readonly readers: Readers;
  readonly tally: Record<string, number>;
  readonly endings: Record<string, number>;
  readonly pausesMs: number[];
  /** Of loads that have ended. */
  acknowledged: number;
};

const roundFlags = [
  ...['--segment-size', '1', '--snapshot-every', '1000'],
  ...['--rate-limit-scale', '1000'],
];

/** Ends with the first violation. */
export async function runRounds(options: RoundsOptions): Promise<RoundsResult> {
  const {
    seed,
    from,
    rounds,
    processes,
    workers = 0,
    template,
    say,
    isEnough = () => false,
  } = options;
  const deployment = await openDeployment({
    ...{ processes, links: true, template, partitionPositions },
    flags: [...roundFlags, '--workers', String(workers)],
  });
  const violations: string[] = [];
  let done = 0;
  try {
    for (const member of deployment.members) member.start();
    await deployment.untilServed(firstServedMs);
    const campaign: Campaign = {
      ...{ options, deployment, auditor: createAuditor(), tally: {}, endings: {}, pausesMs: [] },
      load: await openLoad({ deployment, seed, generation: from }),
      readers: await openReaders(deployment.members, (await deployment.serving())[0]!),
      acknowledged: 0,
    };
    try {
      for (let round = from; round < from + rounds && !isEnough(); round += 1) {
        await inTime(runRound(campaign, round), `round ${round} did not end`);
        done += 1;
      }
      await endCampaign(campaign);
    } catch (error) {
      campaign.load.leave();
      const again = `npm run kills -- --seed ${seed} --from ${from + done} --rounds 1`;
      violations.push(`round ${from + done}: ${(error as Error).message}\n  again: ${again}`);
      for (const { name, journal } of deployment.members)
        say(`${name}:\n${journal().slice(-journalShown)}`);
    }
    const { tally, endings, pausesMs, auditor, acknowledged, load, readers } = campaign;
    readers.close();
    return {
      ...{ rounds: done, faults: tally, endings, pausesMs, violations },
      acknowledged: acknowledged + load.acknowledged(),
      ...auditor.figures(),
    };
  } finally {
    await deployment.close();
  }
}

async function runRound(campaign: Campaign, round: number): Promise<void> {
  const { options, deployment, auditor, tally } = campaign;
  const { seed, draw, say } = options;
  const prng = createPrng(seedOf(seed, `round ${round}`));
  if (round > options.from && (round - options.from) % roundsOfGeneration === 0) {
    campaign.acknowledged += campaign.load.acknowledged();
    campaign.load = await openLoad({ deployment, seed, generation: round });
  }
  const { load } = campaign;
  const before = load.acknowledged();
  load.begin();
  await new Promise((resolve) => setTimeout(resolve, quietMs));
  const drawn = draw(prng, round);
  await Promise.all(drawn.map((each) => faults[each.name].happen(deployment, each)));
  for (const { name } of drawn) tally[name] = (tally[name] ?? 0) + 1;
  const atHeal = load.acknowledged();
  // Whatever has happened, the deployment serves again and takes orders.
  await deployment.untilServed(servedMs);
  const taken = (): boolean => {
    load.check();
    return load.acknowledged() >= atHeal + acknowledgedAfter;
  };
  await until(taken, { withinMs: servedMs, or: 'too little was acknowledged after the faults' });
  const pauseMs = Math.round(load.pauseMs());
  await load.end();
  const endings = takeEndings(campaign);
  const ended = endings.map(textOfEnding).join(', ');
  await auditor.readLog(deployment.pair.url());
  await load.audit();
  await campaign.readers.audit(await deployment.serving());
  await auditor.readLog(deployment.pair.url());
  for (const { name, data } of deployment.members) auditor.checkCopy(name, data);
  campaign.pausesMs.push(pauseMs);
  const acknowledged = load.acknowledged() - before;
  say(
    `round ${round}: ${drawn.map(textOf).join(' with ')}; longest pause ${pauseMs} ms; ` +
      `${acknowledged} acknowledged${ended === '' ? '' : `; ${ended}`}`,
  );
  judgeEndings(drawn, endings);
}

type Ended = Ending & { readonly name: string };

/** Which processes ended by themselves, and why. */
function takeEndings({ deployment, endings }: Campaign): readonly Ended[] {
  const taken = deployment.members.flatMap((member) =>
    member.takeEndings().map((ending) => ({ ...ending, name: member.name })),
  );
  for (const { code } of taken) endings[String(code)] = (endings[String(code)] ?? 0) + 1;
  return taken;
}

const textOfEnding = ({ name, code, last }: Ended): string =>
  `${name} ended with ${code}${code === leaseLostCode ? '' : `: ${last}`}`;

/** A process leaves when it has lost the lease, and it may refuse servers that are incomplete. */
function judgeEndings(drawn: readonly Drawn[], endings: readonly Ended[]): void {
  const isIncomplete = drawn.some(({ name }) => faults[name].ofServers);
  for (const ending of endings) {
    const isRefusal = isIncomplete && !/which was acknowledged|fault/.test(ending.last);
    if (ending.code !== leaseLostCode && !isRefusal) throw new Error(textOfEnding(ending));
  }
}

/** Every copy becomes the whole log; then no one writes, and every copy is replayed. */
async function endCampaign({ deployment, auditor }: Campaign): Promise<void> {
  const { members, pair } = deployment;
  await until(() => areEqual(members), {
    ...{ withinMs: copiesMs, or: 'the processes did not all come to the same position' },
  });
  const holder = await deployment.holder();
  // The holder last: no other one takes over and writes.
  for (const member of members.toSorted((a, b) => Number(a === holder) - Number(b === holder))) {
    const code = await member.stop();
    if (code !== 0) throw new Error(`${member.name} stopped with ${code}: ${member.journal()}`);
  }
  await auditor.readLog(pair.url());
  for (const { name, data } of members) auditor.checkCopy(name, data);
  auditor.verifyCopies(new Map(members.map(({ name, data }) => [name, data])));
}

async function areEqual(members: readonly Member[]): Promise<boolean> {
  const found = await Promise.all(members.map((member) => member.health()));
  const positions = new Set(found.map((health) => health?.position));
  return positions.size === 1 && !positions.has(undefined);
}

function inTime<T>(work: Promise<T>, sentence: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const fail = (): void => reject(new Error(`${sentence} within ${roundMs / 1000} s`));
    timer = setTimeout(fail, roundMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
