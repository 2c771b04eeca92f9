// A network at whose other end the test sits: it sees every request and every word of a socket, and
// answers when it likes. Time is its own.

import type {
  ClientWorld,
  LifeMarket,
  Reply,
  Request,
  SocketListener,
} from '../../sim/life/ports.ts';
import { createPrng } from '../../src/std/prng.ts';

export type FakeSocket = {
  readonly path: string;
  readonly listener: SocketListener;
  readonly said: string[];
  readonly tell: (message: object) => void;
};

export type FakeNetwork = {
  readonly world: ClientWorld;
  readonly sent: { readonly request: Request; readonly reply: (reply: Reply) => void }[];
  readonly sockets: FakeSocket[];
  readonly pass: (milliseconds: number) => void;
};

export const bitcoin: LifeMarket = {
  symbol: 'BTCUSDT',
  tick: { decimals: 1, step: 1 },
  lot: { decimals: 3, step: 1 },
  maxLeverage: 50,
  priceTicks: 600_000,
};

export const clientKey = {
  apiKey: 'aa'.repeat(32),
  secret: 'bb'.repeat(32),
  account: 1,
  wallet: `0x${'cc'.repeat(20)}`,
} as const;

export const answered = (status: number, body: object): Reply => ({
  kind: 'answered',
  answer: { status, text: JSON.stringify(body) },
});

export function createFakeNetwork(seed = 1): FakeNetwork {
  let now = 1_760_000_000_000;
  let planned: { readonly at: number; readonly step: () => void }[] = [];
  const sent: FakeNetwork['sent'] = [];
  const sockets: FakeSocket[] = [];
  const world: ClientWorld = {
    network: {
      send: (request, reply) => sent.push({ request, reply }),
      connect: (path, _address, listener) => {
        const said: string[] = [];
        const tell = (message: object): void => listener.onText(JSON.stringify(message));
        sockets.push({ path, listener, said, tell });
        return { send: (text) => said.push(text), close: () => listener.onClose() };
      },
    },
    clock: {
      now: () => now,
      after: (milliseconds, step) => planned.push({ at: now + milliseconds, step }),
    },
    prng: createPrng(seed),
    credentials: [{ ...clientKey, token: 'token' }],
    markets: [bitcoin],
    count: () => {},
  };
  const pass = (milliseconds: number): void => {
    const until = now + milliseconds;
    for (;;) {
      const due = planned.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      planned = planned.filter((each) => each !== due);
      now = due.at;
      due.step();
    }
    now = until;
  };
  return { world, sent, sockets, pass };
}
