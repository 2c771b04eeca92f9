// Frames for the target of cost: messages over a socket of each of the three protocols, of every
// size up to the bound and beyond, and the client that sends them. Opening and closing a socket is
// not measured.

import { createHmac } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { socketMethods } from '../src/api/fapi/socketMethods.ts';
import { messageBytesMax } from '../src/gateway/sockets/serveSockets.ts';
import type { CostClass } from './costBudget.ts';
import { type CostWorld, drawSize } from './costCase.ts';
import type { CostCase, Fire } from './costMeter.ts';
import { drawJson, fill } from './costShapes.ts';
import type { Sent } from './costWire.ts';
import type { Draw } from './draw.ts';
import { frameOf } from './framesTarget.ts';

/** Frames of one socket: fewer than it may send at once. */
const perSocket = 5;
const paths = { native: '/ws', fapi: '/ws', trading: '/ws-fapi/v1' } as const;
type Protocol = keyof typeof paths;

type Said = {
  readonly kind: CostClass;
  readonly name: string;
  readonly text: string;
  /** Streams that it subscribes to, or the weight of its method. */
  readonly units: number;
};

export function drawFrames(draw: Draw, world: CostWorld): CostCase {
  const protocol = draw.pick(['native', 'fapi', 'trading'] as const);
  return framesCase(world, { protocol, ...drawSaid(draw, protocol, world.at.stage.alice) });
}

type Saying = Said & { readonly protocol: Protocol };

export function framesCase({ at }: CostWorld, saying: Saying): CostCase {
  const { protocol, kind, name, text, units } = saying;
  const frame = frameOf({ payload: Buffer.from(text) });
  return {
    kind,
    what: `frame of ${protocol}, ${name}, ${text.length} bytes`,
    target: at.wide,
    weight: units,
    burstMax: text.length > 20_000 ? 10 : 20,
    prepare: async (count): Promise<Fire> => {
      const sockets: Talk[] = [];
      for (let left = count; left > 0; left -= perSocket) {
        sockets.push(await openTalk(at.wide.port, paths[protocol]));
      }
      return async () => {
        const sent = await Promise.all(
          sockets.map(({ say }, index) =>
            say(frame, Math.min(perSocket, count - index * perSocket)),
          ),
        );
        const close = () => {
          for (const socket of sockets) socket.close();
        };
        return { ...together(sent, { count, bytes: frame.length * count }), close };
      };
    },
  };
}

function together(
  heard: readonly number[],
  { count, bytes }: { readonly count: number; readonly bytes: number },
): Sent {
  return {
    requests: count,
    statuses: new Map([[101, count]]),
    connections: 0,
    bytesOut: bytes,
    headBytes: 0,
    headLines: 0,
    bytesIn: heard.reduce((sum, each) => sum + each, 0),
    weight: undefined,
  };
}

function drawSaid(
  draw: Draw,
  protocol: Protocol,
  alice: { readonly apiKey: string; readonly secretKey: string; readonly token: string },
): Said {
  const size = drawSize(draw, messageBytesMax - 200);
  if (draw.once(4)) {
    const { name, text } = drawJson(draw, size);
    return { kind: 'frame', name, text: text.slice(0, messageBytesMax + draw.below(2)), units: 0 };
  }
  if (protocol === 'native') return nativeSaid(draw, size, alice.token);
  return protocol === 'fapi' ? fapiSaid(draw, size) : tradingSaid(draw, size, alice);
}

function nativeSaid(draw: Draw, size: number, token: string): Said {
  const channel = draw.pick([
    'depth:BTCUSDT',
    'depth:BTCUSDT:50',
    'ticker:BTCUSDT',
    'tickers',
    'prices:BTCUSDT',
    'trades:BTCUSDT',
    'candles:BTCUSDT:1m',
  ]);
  const [name, message, units] = draw.pick<readonly [string, unknown, number]>([
    ['subscribe', { type: 'subscribe', channel }, 1],
    ['long channel', { type: 'subscribe', channel: fill('a:', size) }, 0],
    ['long token', { type: 'auth', token: fill('ey.', size) }, 0],
    ['bad token', { type: 'auth', token: `${token}x` }, 0],
    ['ping', { type: 'ping', stuffing: 'x'.repeat(size) }, 0],
    ['resume', { type: 'resume', channel, epoch: 'x'.repeat(size), seq: 1 }, 1],
  ]);
  const kind = units > 0 ? 'subscription' : 'frame';
  return { kind, name, text: JSON.stringify(message), units };
}

const streams = ['depth', 'aggTrade', 'markPrice@1s', 'kline_1m', 'ticker', 'bookTicker', 'depth5'];

function fapiSaid(draw: Draw, size: number): Said {
  const ask = (method: string, params: unknown) => JSON.stringify({ method, params, id: 1 });
  const good = streams.map((each) => `btcusdt@${each}`).slice(0, 1 + draw.below(streams.length));
  const unknown = Array.from({ length: Math.max(1, size >> 4) }, (_, at) => `zz${at}usdt@depth`);
  const same = Array.from({ length: Math.max(1, size >> 4) }, () => 'btcusdt@depth');
  const intervals = Array.from(
    { length: Math.max(1, size >> 4) },
    (_, at) => `btcusdt@kline_${at}`,
  );
  const options: readonly (readonly [string, string, number])[] = [
    ['SUBSCRIBE', ask('SUBSCRIBE', good), good.length],
    ['SUBSCRIBE unknown names', ask('SUBSCRIBE', unknown), 0],
    ['SUBSCRIBE unknown intervals', ask('SUBSCRIBE', intervals), 0],
    ['SUBSCRIBE one name repeated', ask('SUBSCRIBE', same), 1],
    ['SUBSCRIBE one long name', ask('SUBSCRIBE', [fill('@', size)]), 0],
    ['SUBSCRIBE nested', ask('SUBSCRIBE', [[[fill('a', size)]]]), 0],
    ['UNSUBSCRIBE unknown names', ask('UNSUBSCRIBE', unknown), 0],
    ['LIST_SUBSCRIPTIONS', ask('LIST_SUBSCRIPTIONS', fill('a', size)), 0],
    ['SET_PROPERTY', ask('SET_PROPERTY', ['combined', fill('a', size)]), 0],
    ['long method', ask(fill('SUBSCRIBE', size), []), 0],
  ];
  const [name, text, units] = draw.pick(options);
  return { kind: units > 0 ? 'subscription' : 'frame', name, text, units };
}

function tradingSaid(
  draw: Draw,
  size: number,
  { apiKey, secretKey }: { readonly apiKey: string; readonly secretKey: string },
): Said {
  const [method, row] = draw.pick(Object.entries(socketMethods));
  const plain: Record<string, unknown> = { symbol: 'BTCUSDT', apiKey, timestamp: Date.now() };
  const stuffed = draw.pick<Record<string, unknown>>([
    {},
    { stuffing: 'x'.repeat(size) },
    { stuffing: fill('\\', size >> 1) },
    Object.fromEntries(Array.from({ length: Math.max(1, size >> 4) }, (_, at) => [`p${at}`, at])),
  ]);
  const params = { ...plain, ...stuffed };
  const text = Object.entries(params)
    .map(([name, value]) => `${name}=${String(value)}`)
    .sort()
    .join('&');
  const good = draw.once(2);
  const signature = good
    ? createHmac('sha256', secretKey).update(text).digest('hex')
    : 'f'.repeat(64);
  const id = draw.once(6) ? 'x'.repeat(size) : 1;
  const shown = { id, method, params: { ...params, signature } };
  const units = typeof row.weight === 'number' ? row.weight + 1 : 40;
  const open = row.auth === 'none';
  const whole = JSON.stringify(shown);
  if (good && !open) return { kind: 'frameServed', name: method, text: whole, units };
  return { kind: 'frame', name: `${method}${open ? '' : ', badly signed'}`, text: whole, units };
}

type Talk = {
  /**
   * Sends a frame that many times; resolves with the received bytes when the server has read all of
   * them.
   */
  readonly say: (frame: Buffer, times: number) => Promise<number>;
  readonly close: () => void;
};

const upgrade = (path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';

/** Frames are read in order: the answer to a ping of the protocol shows that all were read. */
const lastWord = 'the last word';
const ping = frameOf({ opcode: 9, payload: Buffer.from(lastWord) });
/** After this time without a byte nothing more comes. */
const quietMs = 3;
const patienceMs = 60_000;

function openTalk(port: number, path: string): Promise<Talk> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    socket.on('error', reject);
    let head = '';
    const onData = (chunk: Buffer): void => {
      head += chunk.toString('latin1');
      if (!head.includes('\r\n\r\n')) return;
      socket.off('data', onData).off('error', reject);
      socket.on('error', () => {});
      if (head.startsWith('HTTP/1.1 101 ')) {
        resolve({ say: (...said) => say(socket, ...said), close: () => socket.destroy() });
      } else reject(new Error(`no socket: ${head}`));
    };
    socket.on('data', onData);
    socket.write(upgrade(path));
  });
}

function say(socket: Socket, frame: Buffer, times: number): Promise<number> {
  return new Promise((resolve) => {
    let heard = 0;
    let tail = '';
    let quiet: NodeJS.Timeout | undefined;
    const finish = (): void => {
      clearTimeout(patience);
      clearTimeout(quiet);
      resolve(heard);
    };
    const patience = setTimeout(finish, patienceMs);
    let all = false;
    socket.on('close', finish);
    socket.on('data', (chunk: Buffer) => {
      heard += chunk.length;
      tail = (tail + chunk.toString('latin1')).slice(-(chunk.length + lastWord.length));
      all ||= tail.includes(lastWord);
      clearTimeout(quiet);
      if (all) quiet = setTimeout(finish, quietMs);
    });
    socket.write(Buffer.concat([...Array.from({ length: times }, () => frame), ping]));
  });
}
