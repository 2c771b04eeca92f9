// How long after the answer of the process with the lease another process shows what was
// acknowledged: a trade, from the answer of the order that made it to the stream of a follower.

import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { Member } from '../../kills/openMember.ts';
import type { ClusterBench } from '../cluster.ts';
import { symbol } from '../orderRequests.ts';
import { check, percentile, percentiles, say } from '../report.ts';
import type { Figures } from '../sayTargets.ts';
import { askFollowers } from './askFollowers.ts';
import { calm } from './calm.ts';
import { followersOf, withProcesses } from './withProcesses.ts';

const restMs = 5;
const messageMs = 10_000;

export const measureFollowing: ClusterBench = ({ processes, orders }) =>
  withProcesses(processes, async ({ deployment, place, untilWhole }): Promise<Figures> => {
    const holder = await untilWhole();
    const what = 'acknowledged to applied elsewhere';
    const follower = await askFollowers(followersOf(deployment, holder), what);
    if (follower === undefined) return {};
    await calm();
    const shown = await listenToTrades(follower);
    const times: number[] = [];
    for (let pair = 0; pair < orders; pair += 1) {
      // The first one rests, the second one trades with it.
      check(await place(holder), 'an order is acknowledged');
      const trade = shown.next();
      check(await place(holder), 'an order is acknowledged');
      const answered = performance.now();
      times.push((await trade) - answered);
      await sleep(restMs);
    }
    shown.close();
    say(`${what}: ${percentiles(times, 'ms')}`);
    return { applied_p50_ms: Number(percentile(times, 0.5).toFixed(2)) };
  });

type Trades = {
  /** When the next message with trades comes, by the stopwatch. */
  readonly next: () => Promise<number>;
  readonly close: () => void;
};

async function listenToTrades({ http }: Member): Promise<Trades> {
  const socket = new WebSocket(`${http.replace('http:', 'ws:')}/ws`);
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  let wake = (_: number): void => {};
  const snapshot = new Promise<void>((resolve) => {
    socket.on('message', (data) => {
      const now = performance.now();
      const { type, snapshot } = JSON.parse(String(data));
      if (type !== 'trade') return;
      if (snapshot === true) resolve();
      else wake(now);
    });
  });
  socket.send(JSON.stringify({ type: 'subscribe', channel: `trades:${symbol}` }));
  await snapshot;
  return {
    next: () =>
      new Promise((resolve, reject) => {
        const late = setTimeout(() => {
          reject(new Error(`no trade came within ${messageMs / 1000} s`));
        }, messageMs);
        wake = (at) => {
          clearTimeout(late);
          resolve(at);
        };
      }),
    close: () => socket.close(),
  };
}
