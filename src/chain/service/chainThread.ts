// The thread of the chain service: it reads nodes, signs and pays, so that no hash and no signature
// holds up trading. It asks the trading thread for what the log says and gives it what to write.

import { parentPort, workerData } from 'node:worker_threads';
import { must } from '../../std/assert.ts';
import { stopwatchMs, systemClock } from '../../std/clock.ts';
import type { ChainEngine } from '../chainEngine.ts';
import { chainRuleOf } from '../finalNumber.ts';
import type { ReportSource } from '../report/report.ts';
import { createLookupNode } from '../rpc/createLookupNode.ts';
import { createRpcNode } from '../rpc/createRpcNode.ts';
import type { SignerReplica } from '../signers/createCheck.ts';
import { createGasAccount, createReadSigner } from '../signers/createLocalSigner.ts';
import { cappedChecks, createSigners } from '../signers/createSigners.ts';
import type {
  ChainMessage,
  ChainSettings,
  EngineAnswers,
  EngineQuestion,
  ToChainThread,
} from './chainMessage.ts';
import { createChainService, type Round } from './createChainService.ts';
import { createLookups } from './createLookups.ts';
import type { NodeSighting } from './createNodeBook.ts';
import { createNodeWatch } from './createNodeWatch.ts';

/**
 * The time between the beginnings of two rounds, milliseconds. With what a round asks of near
 * nodes, a deposit is credited within a second after its final block.
 */
const roundMs = 750;
const paymentsPerBatchMax = 200;

// This file is the thread's program: it is started, never imported for its values.
const port = must(parentPort, 'the chain service runs in a thread');
const settings = workerData as ChainSettings;
const say = (message: ChainMessage): void => port.postMessage(message);

type Asked = { readonly resolve: (answer: never) => void; readonly reject: (e: Error) => void };
const waiting = new Map<number, Asked>();
let lastId = 0;
let isStopped = false;
let wake = (): void => {};

function ask<Kind extends EngineQuestion['kind']>(
  question: Extract<EngineQuestion, { readonly kind: Kind }>,
): Promise<EngineAnswers[Kind]> {
  lastId += 1;
  const id = lastId;
  say({ kind: 'ask', id, question });
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

port.on('message', (message: ToChainThread) => {
  if (message.kind === 'stop') {
    isStopped = true;
    wake();
    return;
  }
  const asked = waiting.get(message.id);
  waiting.delete(message.id);
  if (message.kind === 'answer') asked?.resolve(message.answer as never);
  else asked?.reject(new Error(message.message));
});

const engine: ChainEngine = {
  view: (part) => ask({ kind: 'view', part }),
  submit: (facts) => ask({ kind: 'submit', facts }),
};
const replica: SignerReplica = {
  openByIds: (ids) => ask({ kind: 'openByIds', ids }),
  isConserved: () => ask({ kind: 'isConserved' }),
  judgeTree: (claim) => ask({ kind: 'judgeTree', claim }),
};

const source: ReportSource = {
  judgeReport: (report) => ask({ kind: 'judgeReport', report }),
  isPublished: (report) => ask({ kind: 'isPublished', report }),
  nextReport: (after, sequence) => ask({ kind: 'nextReport', after, sequence }),
};

const { chainId, vault, codeHash, urls, gasKey, signers, maxFeeLimit } = settings;
const { unitsPerHourMax, signedDirectory: directory } = settings;
const rule = chainRuleOf(chainId);
const place = { chainId, vault };
const lookups = createLookups(urls.map((url) => createLookupNode({ url, vault })));
const service = createChainService({
  ...{ rule, codeHash, engine, maxFeeLimit, paymentsPerBatchMax },
  nodes: urls.map((url) => createRpcNode({ url, vault })),
  signers: createSigners({
    ...{ rule, place, signers },
    checkOf: cappedChecks({
      ...{ replica, unitsPerHourMax, directory },
      interval: BigInt(Math.max(1, settings.anchorInterval)),
    }),
  }),
  readSigner: createReadSigner(place),
  gasAccount: gasKey === undefined ? undefined : createGasAccount(place, gasKey),
  ...(gasKey !== undefined && {
    anchors: {
      newestTree: () => ask({ kind: 'newestTree' }),
      judgeAnchor: (claim) => ask({ kind: 'judgeAnchor', claim }),
    },
    reports: { source, deployBlock: BigInt(settings.deployBlock) },
  }),
  lookUp: async (block) => say({ kind: 'lookedUp', ...(await lookups.look(block)) }),
});

const watch = createNodeWatch(stopwatchMs);

function tell({ block, isWhole, facts, sent, keeper, anchor, nodes, alarms }: Round): void {
  const seen = watch.take(nodes);
  say({
    kind: 'round',
    ...{ block, isWhole, facts, keeper, anchor, nodes: seen.nodes },
    hasSent: sent !== undefined,
    alarms: [...alarms, ...seen.alarms],
  });
}

/** A round that has failed says nothing of its nodes. */
const unseen = (url: string): NodeSighting => ({
  ...{ name: new URL(url).host, state: 'unknown', said: '' },
});

/** A round that fails says why; the next one begins as if nothing had been. */
async function run(): Promise<void> {
  while (!isStopped) {
    const begun = systemClock.now();
    const failed = (error: Error): Round => ({
      block: undefined,
      isWhole: false,
      facts: 0,
      nodes: urls.map(unseen),
      alarms: [{ name: 'roundFailed', detail: error.message }],
    });
    tell(await service.round().catch(failed));
    const left = begun + roundMs - systemClock.now();
    if (isStopped || left <= 0) continue;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, left);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
  port.close();
}

void run();
