// Light clients that request and say what a recorded page did, each with a login of its own: many
// pages without many browsers. It runs in the process of the readers.

import { Agent, request } from 'node:http';
import type { Socket } from 'node:net';
import { type FrameCount, frameOf, openCrowdSocket } from '../crowdSocket.ts';
import type { RecordedRequest, RecordedSocket, RecordedVisit } from './recordVisit.ts';

/** This many pages: each opens as the recorded one did, and goes on as that went on. */
export type VisitsPlan = {
  readonly do: 'visits';
  readonly port: number;
  readonly visit: RecordedVisit;
  /** The recorded page's login, in whose place each page has its own. */
  readonly token: string;
  readonly tokens: readonly string[];
  /** Milliseconds after which a recorded page is open; what follows is repeated. */
  readonly openMs: number;
};

export type OpenVisits = {
  readonly close: () => void;
  /** Requests and messages since the pages were open. */
  readonly count: () => { readonly requests: number; readonly says: number };
};

type Live = {
  readonly plan: VisitsPlan;
  readonly count: FrameCount;
  readonly agents: Agent[];
  readonly sockets: Socket[];
  readonly timers: Set<ReturnType<typeof setTimeout>>;
  requests: number;
  says: number;
  isClosed: boolean;
};

/** Browsers send it with every request; the protocol of recording leaves it out. */
const acceptEncoding = 'gzip, deflate, br, zstd';
/** Of a browser, to one origin. */
const connectionsMax = 6;

/** Resolves when all pages are open. Rejects when a request or a socket is refused. */
export async function openVisits(plan: VisitsPlan, count: FrameCount): Promise<OpenVisits> {
  const live: Live = {
    plan,
    count,
    agents: [],
    sockets: [],
    timers: new Set(),
    requests: 0,
    says: 0,
    isClosed: false,
  };
  for (const [index, token] of plan.tokens.entries()) await openPage(live, index, token);
  return {
    close: () => {
      live.isClosed = true;
      for (const timer of live.timers) clearTimeout(timer);
      for (const socket of live.sockets) socket.destroy();
      for (const agent of live.agents) agent.destroy();
    },
    count: () => ({ requests: live.requests, says: live.says }),
  };
}

/** Opens one page without its pauses, then starts what repeats. */
async function openPage(live: Live, index: number, token: string): Promise<void> {
  const { visit, openMs, tokens } = live.plan;
  const agent = new Agent({ keepAlive: true, maxSockets: connectionsMax });
  live.agents.push(agent);
  const isOpening = ({ at }: { readonly at: number }): boolean => at < openMs;
  await Promise.all(visit.requests.filter(isOpening).map((each) => ask(live, agent, each, token)));
  const sockets = await Promise.all(
    visit.sockets.filter(isOpening).map((each) => openSocket(live, each, token)),
  );
  // Pages were opened at different times: each is at another place of what repeats.
  const periodMs = visit.milliseconds - openMs;
  const phaseMs = (index / tokens.length) * periodMs;
  const repeat = (at: number, act: () => void): void => {
    const firstMs = (at - openMs - phaseMs + periodMs) % periodMs;
    later(live, firstMs, function again() {
      act();
      later(live, periodMs, again);
    });
  };
  for (const each of visit.requests) {
    if (isOpening(each)) continue;
    repeat(each.at, () => {
      live.requests += 1;
      ask(live, agent, each, token).catch((error) => fail(live, error));
    });
  }
  visit.sockets.filter(isOpening).forEach(({ says }, at) => {
    for (const { at: saidAt, text } of says.filter((each) => !isOpening(each))) {
      const frame = frameOf(text.replaceAll(live.plan.token, token));
      repeat(saidAt, () => {
        live.says += 1;
        sockets[at]?.write(frame);
      });
    }
  });
}

function later(live: Live, milliseconds: number, act: () => void): void {
  const timer = setTimeout(() => {
    live.timers.delete(timer);
    if (!live.isClosed) act();
  }, milliseconds);
  live.timers.add(timer);
}

/** A page that is refused is no page any more: the measurement ends. */
function fail(live: Live, error: unknown): void {
  if (!live.isClosed) throw error;
}

async function openSocket(
  live: Live,
  { path, says }: RecordedSocket,
  token: string,
): Promise<Socket> {
  const { port, openMs } = live.plan;
  const atOnce = says.filter(({ at }) => at < openMs);
  const texts = atOnce.map(({ text }) => text.replaceAll(live.plan.token, token));
  const socket = await openCrowdSocket({ port, path, says: texts, count: live.count });
  live.sockets.push(socket);
  return socket;
}

/** Reads the answer whole, as a page does. Rejects when the exchange refuses. */
function ask(live: Live, agent: Agent, recorded: RecordedRequest, token: string): Promise<void> {
  const { method, path, body } = recorded;
  const headers = Object.fromEntries(
    Object.entries(recorded.headers).map(([name, value]) => [
      name,
      value.replaceAll(live.plan.token, token),
    ]),
  );
  const { port } = live.plan;
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        ...{ port, host: '127.0.0.1', method, path, agent },
        headers: { ...headers, 'accept-encoding': acceptEncoding },
      },
      (response) => {
        const { statusCode = 0 } = response;
        response.resume();
        response.once('end', () => {
          // A market without a trade has no candles: the page is answered so, too.
          if (statusCode < 400 || statusCode === 404) resolve();
          else reject(new Error(`${method} ${path} was answered ${statusCode}`));
        });
      },
    );
    asked.once('error', reject);
    asked.end(body);
  });
}
