// A reader's socket that reconnects when it was dropped, and drops itself from time to time. It
// asks for an echo twice a second: when the answer comes, everything sent before it has been read.

import type { Prng } from '../../../src/std/prng.ts';
import type { ClientWorld, Socket } from '../ports.ts';
import { chance } from './actor.ts';
import type { Body } from './createCaller.ts';

export type StreamLine = {
  readonly open: () => void;
  readonly send: (message: object) => void;
  readonly close: () => void;
  /** From now on it does not drop itself. */
  readonly calm: () => void;
  /** The time of the last answered question, on the last socket that received anything. */
  readonly readUntil: () => number;
};

export type StreamLineOptions = {
  readonly prng: Prng;
  readonly address: string;
  /** The path; undefined: not known yet. */
  readonly path: () => string | undefined;
  readonly dialect: 'native' | 'fapi';
  /** Messages may be sent on the socket. */
  readonly onOpen?: (line: StreamLine) => void;
  /** The first message of a socket has come. */
  readonly onHeard?: () => void;
  readonly onMessage: (body: Body) => void;
  readonly onClose?: () => void;
};

const echoEveryMs = 500;
const echoId = 77_000;

type State = {
  socket: Socket | undefined;
  /** Counts sockets, so that timers of an old one do nothing. */
  dialled: number;
  asked: number[];
  readUntil: number;
  calm: boolean;
};

export function createStreamLine(world: ClientWorld, options: StreamLineOptions): StreamLine {
  const state: State = { socket: undefined, dialled: 0, asked: [], readUntil: 0, calm: false };
  const { prng, dialect } = options;
  const line: StreamLine = {
    open: () => dial(world, state, options, line),
    send: (message) => state.socket?.send(JSON.stringify(message)),
    close: () => state.socket?.close(),
    calm: () => {
      state.calm = true;
    },
    readUntil: () => state.readUntil,
  };
  const echo =
    dialect === 'native' ? { type: 'ping' } : { method: 'LIST_SUBSCRIPTIONS', id: echoId };
  const beat = (): void => {
    if (state.socket !== undefined && !state.calm && chance(prng, 2)) state.socket.close();
    else if (state.socket !== undefined) {
      state.asked.push(world.clock.now());
      line.send(echo);
    }
    world.clock.after(echoEveryMs, beat);
  };
  world.clock.after(echoEveryMs, beat);
  return line;
}

function dial(
  world: ClientWorld,
  state: State,
  options: StreamLineOptions,
  line: StreamLine,
): void {
  const { prng, path, onOpen, onHeard, onMessage, onClose, address, dialect } = options;
  const again = (): void => {
    world.clock.after(200 + prng.below(2500), () => dial(world, state, options, line));
  };
  const target = path();
  if (target === undefined) return again();
  state.asked = [];
  state.dialled += 1;
  let heard = false;
  const own = state.dialled;
  world.count('socket opened');
  state.socket = world.network.connect(target, address, {
    onText: (text) => {
      if (own !== state.dialled) return;
      if (!heard) {
        heard = true;
        state.readUntil = 0;
        onHeard?.();
      }
      const body: Body = JSON.parse(text);
      const echoed = dialect === 'native' ? body.type === 'pong' : body.id === echoId;
      if (echoed) state.readUntil = state.asked.shift() ?? 0;
      else onMessage(body);
    },
    onClose: () => {
      if (own !== state.dialled) return;
      state.socket = undefined;
      world.count('socket closed');
      onClose?.();
      again();
    },
  });
  onOpen?.(line);
}
