// The target of sockets: frames by RFC 6455 and against it, at the native streams, the convention's
// streams and the trading socket. Every answer is a whole and documented frame. A socket is closed
// with a documented code and never for a fault of the exchange. A client that gets only errors has
// changed nothing.

import { createHmac } from 'node:crypto';
import { Compile } from 'typebox/compile';
import { socketMethods } from '../src/api/fapi/socketMethods.ts';
import { tradingError, tradingMethods } from '../src/api/streams/tradingMethods.ts';
import { messageBytesMax } from '../src/gateway/sockets/serveSockets.ts';
import { closeCodes } from '../src/streams/closeCodes.ts';
import { goodRequests, tidyStage } from '../test/api/badInputStage.ts';
import { checkMessage } from '../test/streams/checkMessage.ts';
import { createDraw, type Draw, spoilBytes, spoilText, strangePieces } from './draw.ts';
import { lateMark, openSocketStage, type SocketStage } from './socketStage.ts';
import { demand, sentenceOf, type TargetReport, type TargetRun, tryRounds } from './target.ts';

/** Frames to one exchange; then a new one begins. */
const roundSize = 4000;
const perSocketMax = 40;
const perClearance = 30;

export function framesTarget(run: TargetRun): Promise<TargetReport> {
  return tryRounds('frames', { ...run, roundSize }, async ({ seed, count, begin, add }) => {
    const draw = createDraw(seed);
    const at = await openSocketStage(seed);
    try {
      for (let sockets = 0, left = count; left > 0; sockets += 1) {
        if (!(await at.pass(5000))) break;
        if (sockets % perClearance === 0) await tidyStage(at.stage);
        const frames = Math.min(left, 1 + draw.below(perSocketMax));
        left -= frames;
        for (let i = 0; i < frames; i += 1) begin();
        add(await trySocket(draw, at, frames));
      }
      return undefined;
    } catch (error) {
      return sentenceOf(error);
    } finally {
      await at.close();
    }
  });
}

const paths = {
  native: ['/ws'],
  fapi: [
    '/ws',
    '/ws/btcusdt@depth',
    '/stream?streams=btcusdt@aggTrade',
    '/public/ws',
    '/market/ws',
  ],
  trading: ['/ws-fapi/v1', '/ws-fapi/v1?returnRateLimits=false', '/ws/ws-fapi/v1'],
} as const;

type Protocol = keyof typeof paths;
const protocols: readonly Protocol[] = ['native', 'fapi', 'trading'];

const upgrade = (path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';

async function trySocket(draw: Draw, at: SocketStage, count: number): Promise<string> {
  const protocol = draw.pick(protocols);
  const frames: Buffer[] = [];
  for (let i = 0; i < count; i += 1) {
    const text = await drawMessage(draw, at, protocol);
    frames.push(draw.once(12) ? oddFrame(draw, text) : frameOf({ payload: Buffer.from(text) }));
  }
  const said = Buffer.concat([Buffer.from(upgrade(draw.pick(paths[protocol]))), ...frames]);
  // The closing frame comes when the earlier frames may have been answered.
  const pieces = [...(draw.once(8) ? cut(draw, said) : [said]), closeFrame];
  const before = at.world.stateHash();
  const heard = await at.talk(pieces);
  const changed = at.world.stateHash() !== before;
  const [fault] = at.world.faults;
  try {
    demand(fault === undefined, () => `a fault: ${sentenceOf(fault)}`);
    demand(!heard.includes(lateMark), () => 'the server did not close');
    const { code, answers, errors } = checkHeard(protocol, heard);
    const refused = answers === count && errors === count;
    demand(!refused || !changed, () => 'nothing but errors, and the state is another');
    return `${protocol} ${code}`;
  } catch (error) {
    const described = Buffer.concat(frames).toString('latin1');
    throw new Error(`${protocol}: ${sentenceOf(error)}\n  sent: ${JSON.stringify(described)}`);
  }
}

function cut(draw: Draw, bytes: Buffer): readonly Buffer[] {
  const at = draw.below(bytes.length);
  return [bytes.subarray(0, at), bytes.subarray(at)];
}

type Frame = {
  readonly payload: Buffer;
  readonly opcode?: number;
  /** Whether it is the last piece of its message. */
  readonly last?: boolean;
  readonly reserved?: number;
  readonly masked?: boolean;
  /** The length in its head. */
  readonly said?: number;
};

export function frameOf(frame: Frame): Buffer {
  const { payload, opcode = 1, last = true, reserved = 0, masked = true } = frame;
  const said = frame.said ?? payload.length;
  const short = said < 126 ? said : said < 65_536 ? 126 : 127;
  const head = Buffer.alloc(2 + (short === 126 ? 2 : short === 127 ? 8 : 0));
  head[0] = (last ? 0x80 : 0) | (reserved << 4) | opcode;
  head[1] = (masked ? 0x80 : 0) | short;
  if (short === 126) head.writeUInt16BE(said, 2);
  if (short === 127) head.writeBigUInt64BE(BigInt(said), 2);
  // A mask of zeros leaves the payload as it is.
  return Buffer.concat([head, Buffer.alloc(masked ? 4 : 0), payload]);
}

const closeFrame = frameOf({ opcode: 8, payload: Buffer.from([3, 232]) });

function oddFrame(draw: Draw, text: string): Buffer {
  const payload = Buffer.from(text);
  const half = payload.length >> 1;
  const pieces = (count: number): Buffer =>
    Buffer.concat([
      frameOf({ payload: payload.subarray(0, half), last: false }),
      ...Array.from({ length: count }, () =>
        frameOf({ payload: Buffer.alloc(0), opcode: 0, last: false }),
      ),
      frameOf({ payload: payload.subarray(half), opcode: 0 }),
    ]);
  switch (draw.below(14)) {
    case 0:
      return frameOf({ payload, opcode: 2 });
    case 1:
      return frameOf({ payload, opcode: draw.below(16) });
    case 2:
      return frameOf({ payload, masked: false });
    case 3:
      return frameOf({ payload, reserved: 1 + draw.below(7) });
    case 4:
      return frameOf({ payload: payload.subarray(0, 125), opcode: draw.pick([9, 10]) });
    case 5:
      return frameOf({ payload: Buffer.alloc(126), opcode: draw.pick([8, 9, 10]) });
    case 6:
      return frameOf({
        payload,
        said: draw.pick([0, messageBytesMax, messageBytesMax + 1, 2 ** 31, 2 ** 53 - 1]),
      });
    case 7:
      return pieces(draw.below(70));
    case 8:
      return frameOf({ payload, opcode: 0 });
    case 9:
      return frameOf({ payload: Buffer.from([0xff, 0xfe, 0xc0, 0xaf]) });
    case 10:
      return frameOf({ payload: Buffer.from([draw.below(256), draw.below(256)]), opcode: 8 });
    case 11:
      return Buffer.concat([
        frameOf({ payload: payload.subarray(0, half), last: false }),
        frameOf({ payload: Buffer.from('x'), opcode: 9 }),
        frameOf({ payload: payload.subarray(half), opcode: 0 }),
      ]);
    case 12:
      return frameOf({ payload: Buffer.alloc(messageBytesMax + draw.below(2), 'x') });
    default:
      return spoilBytes(draw, frameOf({ payload }));
  }
}

const scalars: readonly unknown[] = [null, true, 0, -1, 1.5, 2 ** 53, '', 'x', [], [[]], {}];
const symbols = ['BTCUSDT', 'btc-usd', 'ETHUSDT', 'ZZZUSDT', 'NOPEUSDT', '', '__proto__', 'ß'];
const channels = [
  ...['ticker', 'tickers', 'prices', 'depth', 'trades', 'candles', 'account'],
  ...['nothing', '__proto__', ''],
];
const choices = ['1m', '1h', '1M', '7m', '', '5', '50', '7', '05', '5.0'];

async function drawMessage(draw: Draw, at: SocketStage, protocol: Protocol): Promise<string> {
  const message =
    protocol === 'native'
      ? nativeMessage(draw, at)
      : protocol === 'fapi'
        ? fapiMessage(draw)
        : await tradingMessage(draw, at);
  const text = JSON.stringify(message);
  if (draw.once(6)) return spoilText(draw, text);
  if (draw.once(30)) return draw.pick(['', '[]', '{', 'null', `${'['.repeat(9000)}`, '{"a":1}{}']);
  return text;
}

function channelOf(draw: Draw): unknown {
  if (draw.once(12)) return draw.pick(scalars);
  const parts = [draw.pick(channels), draw.pick(symbols), draw.pick(choices)];
  return parts.slice(0, 1 + draw.below(3)).join(':');
}

function nativeMessage(draw: Draw, { stage, world }: SocketStage): unknown {
  const type = draw.pick(['subscribe', 'subscribe', 'unsubscribe', 'resume', 'auth', 'ping', 'x']);
  const token = draw.pick<unknown>([stage.alice.token, world.operatorToken, 'x.y.z', 7, null]);
  const epoch = draw.pick<unknown>(['e0', '', 7, null]);
  const seq = draw.pick<unknown>([0, 1, -1, 2 ** 53, 1.5, '1', null]);
  const fields = { channel: channelOf(draw), token, epoch, seq };
  return draw.once(10) ? { ...fields, type: draw.pick(scalars) } : { type, ...fields };
}

const streamKinds = ['depth', 'depth5@100ms', 'aggTrade', 'markPrice@1s', 'kline_1m', 'ticker'];

function streamOf(draw: Draw): string {
  if (draw.once(5)) return draw.pick(['!ticker@arr', '!markPrice@arr', '!bookTicker', '@', '']);
  const kind = draw.once(4) ? draw.pick(strangePieces) : draw.pick(streamKinds);
  return `${draw.pick(symbols).toLowerCase()}@${kind}`;
}

function fapiMessage(draw: Draw): unknown {
  const method = draw.pick([
    'SUBSCRIBE',
    'SUBSCRIBE',
    'UNSUBSCRIBE',
    'LIST_SUBSCRIPTIONS',
    'SET_PROPERTY',
    'GET_PROPERTY',
    'subscribe',
  ]);
  const many = draw.once(20) ? 1500 : draw.below(6);
  const names = Array.from({ length: many }, (_, at) =>
    many > 10 ? `btcusdt@kline_${at}` : streamOf(draw),
  );
  const params = draw.once(6) ? draw.pick<unknown>([...scalars, ['combined', true]]) : names;
  const id = draw.once(4) ? draw.pick<unknown>([...scalars, 'x'.repeat(65)]) : draw.below(100);
  return { method, params, id };
}

async function tradingMessage(draw: Draw, at: SocketStage): Promise<unknown> {
  const { stage, world } = at;
  const id = draw.once(6) ? draw.pick<unknown>(scalars) : draw.below(1000);
  if (draw.once(6)) {
    const method = draw.pick<unknown>(['session.status', 'session.logout', 'x', 7, '__proto__']);
    return { id, method, params: draw.pick<unknown>([undefined, ...scalars]) };
  }
  const [name, row] = draw.pick(Object.entries(socketMethods));
  const good = await draw.pick(goodRequests(row))(stage);
  const spoilt = draw.once(3)
    ? { ...good, [draw.pick([...Object.keys(good), 'x'])]: draw.pick(scalars) }
    : good;
  const { apiKey, secretKey } = stage.alice;
  const logon = draw.once(10);
  const all: Record<string, unknown> = {
    ...(logon ? {} : spoilt),
    apiKey,
    timestamp: world.clock.now() + draw.pick([0, 0, 0, 0, 70_000]),
  };
  const text = Object.entries(all)
    .map(([key, value]) => `${key}=${String(value)}`)
    .sort()
    .join('&');
  const signature = createHmac('sha256', secretKey).update(text).digest('hex');
  const params = draw.once(8) ? all : { ...all, signature: spoiltAtTimes(draw, signature) };
  const method = logon ? 'session.logon' : `${draw.pick(['', '', 'v1/', 'v/'])}${name}`;
  return { id, method, params };
}

const spoiltAtTimes = (draw: Draw, text: string): string =>
  draw.once(8) ? spoilText(draw, text) : text;

/**
 * Codes with which a socket may be closed: ours, and the library's for violations of the protocol.
 */
const ofTheProtocol = [1002, 1007, 1009];
const codes = new Set([...Object.values(closeCodes), ...ofTheProtocol]);

type Heard = {
  /** The code with which the socket was closed; `cut` without a code. */
  readonly code: string;
  /** Messages, and how many of them are errors of the trading socket. */
  readonly answers: number;
  readonly errors: number;
};

function checkHeard(protocol: Protocol, heard: Buffer): Heard {
  const border = heard.indexOf('\r\n\r\n');
  const head = heard.toString('latin1', 0, border);
  demand(head.startsWith('HTTP/1.1 101 '), () => `no socket: ${heard.toString('latin1')}`);
  let code = 'cut';
  let [answers, errors] = [0, 0];
  for (const { opcode, payload } of readFrames(heard.subarray(border + 4))) {
    if (opcode === 8) {
      code = payload.length < 2 ? 'none' : String(payload.readUInt16BE(0));
      const said = Number(code);
      // The reason that the peer itself gave is returned unchanged.
      const known = code === 'none' || codes.has(said as never) || said >= 3000 || said < 1015;
      demand(known && said !== closeCodes.internalError, () => `closed by ${code}`);
    } else if (opcode === 1) {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(payload);
      const message = JSON.parse(text) as Record<string, unknown>;
      if (protocol === 'trading') checkTrading(message);
      else checkMessage(message);
      answers += 1;
      if ('error' in message) errors += 1;
    } else demand(opcode === 9 || opcode === 10, () => `a frame of kind ${opcode}`);
  }
  return { code, answers, errors };
}

const refusal = Compile(tradingError);
const results = tradingMethods.map(({ answer }) => Compile(answer));

/** An answer is the error, or the result of a method. */
function checkTrading(message: Record<string, unknown>): void {
  const status = message.status as number;
  demand(status < 500 || status === 503, () => `answered ${JSON.stringify(message)}`);
  const fits =
    'error' in message ? refusal.Check(message) : results.some((each) => each.Check(message));
  demand(fits, () => `undocumented: ${JSON.stringify(message)}`);
}

type HeardFrame = { readonly opcode: number; readonly payload: Buffer };

function readFrames(bytes: Buffer): readonly HeardFrame[] {
  const frames: HeardFrame[] = [];
  for (let at = 0; at < bytes.length; ) {
    demand(at + 2 <= bytes.length, () => 'a frame is cut short');
    const [first, second] = [bytes[at]!, bytes[at + 1]!];
    demand((first & 0x70) === 0 && (second & 0x80) === 0, () => 'a frame with reserved bits');
    const short = second & 0x7f;
    at += 2;
    const wide = short === 126 ? 2 : short === 127 ? 8 : 0;
    const length = wide === 0 ? short : Number(`0x${bytes.toString('hex', at, at + wide)}`);
    at += wide;
    demand(at + length <= bytes.length, () => 'a frame is cut short');
    frames.push({ opcode: first & 0x0f, payload: bytes.subarray(at, at + length) });
    at += length;
  }
  return frames;
}
