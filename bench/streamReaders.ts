// The readers of the streams' benchmark, a separate process: private streams, for which it records
// the first message about each order, many plain sockets whose frames it counts, and replayed
// visits of the page.

import { once } from 'node:events';
import type { Socket } from 'node:net';
import { WebSocket } from 'ws';
import { openCrowdSocket } from './crowdSocket.ts';
import { type OpenVisits, openVisits, type VisitsPlan } from './page/replayVisits.ts';

/** Private streams: `address` is where each is opened, `says` is the message to send there. */
export type PrivatePlan = {
  readonly do: 'private';
  readonly streams: readonly { readonly address: string; readonly says: readonly string[] }[];
};

/** This many sockets at that path. Each sends these messages and waits for a first frame. */
export type CrowdPlan = {
  readonly do: 'crowd';
  readonly port: number;
  readonly path: string;
  readonly sockets: number;
  readonly says: string | readonly string[];
};

export type ReaderPlan =
  | PrivatePlan
  | CrowdPlan
  | VisitsPlan
  | { readonly do: 'leave' }
  | { readonly do: 'heard' }
  | { readonly do: 'forget' }
  | { readonly do: 'count' };

/** By the number in the order's name: nanoseconds of the machine's monotonic clock. */
export type Heard = readonly (number | null)[];

/** Counts of the crowd and of the visits since they were opened. */
export type CrowdCount = {
  readonly frames: number;
  readonly bytes: number;
  /** What the visits have requested and said since they were open. */
  readonly requests: number;
  readonly says: number;
};

const heard: (number | null)[] = [];
const count = { frames: 0, bytes: 0 };
const crowd: Socket[] = [];
let visits: OpenVisits | undefined;
const privates: WebSocket[] = [];

const orderName = /"(?:client_order_id|c)":"b(\d+)"/;

function note(text: string): void {
  const number = orderName.exec(text)?.[1];
  if (number === undefined) return;
  heard[Number(number)] ??= Number(process.hrtime.bigint());
}

async function openPrivate({ streams }: PrivatePlan): Promise<void> {
  for (const { address, says } of streams) {
    const socket = new WebSocket(address, { perMessageDeflate: false });
    socket.on('message', (data) => note(String(data)));
    await once(socket, 'open');
    for (const text of says) socket.send(text);
    // Its snapshot, or nothing; messages after a moment are live in both cases.
    await new Promise((resolve) => setTimeout(resolve, 50));
    privates.push(socket);
  }
}

const openAtOnce = 50;

async function openCrowd(plan: CrowdPlan): Promise<void> {
  for (let opened = 0; opened < plan.sockets; opened += openAtOnce) {
    const some = Math.min(openAtOnce, plan.sockets - opened);
    const says = [plan.says].flat();
    const opening = Array.from({ length: some }, () => openCrowdSocket({ ...plan, says, count }));
    crowd.push(...(await Promise.all(opening)));
  }
}

async function perform(plan: ReaderPlan): Promise<unknown> {
  switch (plan.do) {
    case 'private':
      await openPrivate(plan);
      return true;
    case 'crowd':
      await openCrowd(plan);
      return true;
    case 'visits':
      visits = await openVisits(plan, count);
      return true;
    case 'leave':
      for (const socket of crowd.splice(0)) socket.destroy();
      visits?.close();
      visits = undefined;
      return true;
    case 'heard':
      return Array.from(heard, (at) => at ?? null);
    case 'forget':
      heard.length = 0;
      return true;
    case 'count':
      return { ...count, ...(visits?.count() ?? { requests: 0, says: 0 }) };
  }
}

process.on('message', (plan: ReaderPlan) => {
  perform(plan).then(
    (answer) => process.send!(answer),
    (error) => {
      process.stderr.write(`${String(error)}\n`);
      process.exit(1);
    },
  );
});
