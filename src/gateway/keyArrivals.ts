// The secrets of API keys that other processes of the deployment have made or removed. The state
// says which keys there are. A secret that it names and that is not here is read from the rows that
// all processes share, and that of a removed key is destroyed here too. Only keys of the state are
// read: a request with any other key costs no question.

import type { Event } from '../engine/event.ts';
import type { ApiKey } from '../engine/views/account.ts';
import { apiKeyByText, type Exchange } from '../engine/views/exchange.ts';
import type { SealedSecretStore, SealedSecretStoreWriter } from '../secrets/secretStore.ts';
import type { SealedRows } from '../secrets/sharedSecrets.ts';
import { must } from '../std/assert.ts';
import type { Scheduler } from '../std/scheduler.ts';

export type KeyArrivals = {
  /** What the replica has applied. */
  readonly onEvents: (events: readonly Event[]) => void;
  /** Looks at all keys of the state, once a process begins to serve. */
  readonly settle: (apiKeys: Iterable<ApiKey>) => void;
  /**
   * For a key of the state whose secret is on its way: resolves when the present question for it
   * has an answer. undefined for every other text. Cost: one look into a map.
   */
  readonly arriving: (apiKey: string) => Promise<void> | undefined;
};

export type KeyArrivalsOptions = {
  readonly exchange: Exchange;
  readonly store: Pick<SealedSecretStore, 'sealedKey' | 'sealedProfile' | 'lost'>;
  readonly writer: Pick<SealedSecretStoreWriter, 'addSealed' | 'forgetKey'>;
  /** Reads shared rows; a row that is not there is left out. */
  readonly load: (names: {
    readonly apiKeys: readonly string[];
    readonly refs: readonly string[];
  }) => Promise<SealedRows>;
  readonly scheduler: Scheduler;
  readonly onFailure: (error: unknown) => void;
};

/** Keys of one question. */
const askedMax = 500;
/** After a question that has failed, or that left keys without a row. */
const pauseMs = 500;
/** As long as this, a request waits for an answer. */
const answerMaxMs = 2000;
/** Questions for a key whose row is not there: it was written before the key was made. */
const triesMax = 5;

type Arrival = {
  tries: number;
  /** Of the question that runs or comes next. */
  answered: PromiseWithResolvers<void>;
};

type Run = {
  readonly options: KeyArrivalsOptions;
  readonly arrivals: Map<string, Arrival>;
  asking: boolean;
};

export function createKeyArrivals(options: KeyArrivalsOptions): KeyArrivals {
  const { store, writer, onFailure } = options;
  const run: Run = { options, arrivals: new Map(), asking: false };
  return {
    onEvents: (events) => {
      for (const event of events) {
        if (event.kind === 'apiKeyCreated' || event.kind === 'apiKeyUpdated') {
          want(run, event.apiKey);
        }
        if (event.kind === 'apiKeyDeleted') writer.forgetKey(event.apiKey).catch(onFailure);
      }
    },
    settle: (apiKeys) => {
      for (const { apiKey } of store.lost(apiKeys)) want(run, apiKey);
    },
    arriving: (apiKey) => run.arrivals.get(apiKey)?.answered.promise,
  };
}

/** Whether the state has this key, and its secret or its profile is not here. */
function isAbsent({ exchange, store }: KeyArrivalsOptions, apiKey: string): boolean {
  const known = apiKeyByText(exchange, apiKey);
  if (known === undefined) return false;
  return store.sealedKey(apiKey) === undefined || store.sealedProfile(known.profile) === undefined;
}

function want(run: Run, apiKey: string): void {
  const { options, arrivals } = run;
  if (arrivals.has(apiKey) || !isAbsent(options, apiKey)) return;
  arrivals.set(apiKey, { tries: 0, answered: question(options) });
  if (run.asking) return;
  run.asking = true;
  void askAll(run);
}

function question({ scheduler }: KeyArrivalsOptions): Arrival['answered'] {
  const answered = Promise.withResolvers<void>();
  scheduler.after(answerMaxMs, answered.resolve);
  return answered;
}

async function askAll(run: Run): Promise<void> {
  const { scheduler } = run.options;
  while (run.arrivals.size > 0) {
    const isWhole = await ask(run, [...run.arrivals.keys()].slice(0, askedMax));
    if (!isWhole) await new Promise<void>((resolve) => scheduler.after(pauseMs, resolve));
  }
  run.asking = false;
}

/** Whether the question has brought everything, or what it has not brought was given up. */
async function ask(run: Run, apiKeys: readonly string[]): Promise<boolean> {
  const { exchange, writer, load, onFailure } = run.options;
  let failed = false;
  try {
    const refs = apiKeys.flatMap((apiKey) => apiKeyByText(exchange, apiKey)?.profile ?? []);
    await writer.addSealed(await load({ apiKeys, refs }));
  } catch (error) {
    failed = true;
    onFailure(error);
  }
  const given = apiKeys.filter((apiKey) => endQuestion(run, apiKey, failed) === 'given up').length;
  if (given > 0) onFailure(new Error(`the secrets of ${given} API keys are not in the database`));
  return !apiKeys.some((apiKey) => run.arrivals.has(apiKey));
}

function endQuestion(
  { options, arrivals }: Run,
  apiKey: string,
  failed: boolean,
): 'here' | 'given up' | 'again' {
  const arrival = must(arrivals.get(apiKey), 'a key that was asked for is still arriving');
  const { answered } = arrival;
  if (!failed) arrival.tries += 1;
  const isHere = !isAbsent(options, apiKey);
  const isOver = isHere || arrival.tries >= triesMax;
  if (isOver) arrivals.delete(apiKey);
  else arrival.answered = question(options);
  answered.resolve();
  return isHere ? 'here' : isOver ? 'given up' : 'again';
}
