// The network between clients and the program: delays, and in some runs losses, doubled requests
// and requests that overtake each other. The program decides what happens to a request that
// arrives.

import type { Prng } from '../../src/std/prng.ts';
import type { Surface } from './createSurface.ts';
import type { Faults } from './faults.ts';
import type { Answer, Network, Reply, Request, Socket, SocketListener } from './ports.ts';
import type { Steps } from './steps.ts';

/** The receiver at the other end, while it runs. */
export type Listener = {
  readonly public: Surface;
  readonly operator: Surface;
  readonly connect: (path: string, address: string, peer: Peer) => PeerSession | undefined;
  /** Calls back when the program has died; the returned function cancels this. */
  readonly onDeath: (then: () => void) => () => void;
};

/**
 * The far end of a socket as the program sees it; `taken` is called when the peer has read the
 * message.
 */
export type Peer = {
  readonly send: (text: string, taken: () => void) => void;
  readonly close: () => void;
};

export type PeerSession = { readonly onText: (text: string) => void; readonly onClose: () => void };

export type LifeNetworkOptions = {
  readonly steps: Steps;
  readonly prng: Prng;
  readonly faults: Faults;
  /** The program that listens now. */
  readonly listener: () => Listener | undefined;
  /** Called when a change may have been promised: promises must settle before the next step. */
  readonly touched: () => void;
};

export type LifeNetwork = Network & {
  /** A request to the operator's listener. */
  readonly sendOperator: Network['send'];
};

/** After this time a client treats its request as lost. */
const timeoutMs = 2000;
const unknown: Reply = { kind: 'unknown' };

export function createLifeNetwork(options: LifeNetworkOptions): LifeNetwork {
  return {
    send: (request, onReply) => send(options, 'public', request, onReply),
    sendOperator: (request, onReply) => send(options, 'operator', request, onReply),
    connect: (path, address, listener) => connect(options, { path, address, listener }),
  };
}

/** Most within a few milliseconds, some much later. */
function drawMs({ prng, faults }: LifeNetworkOptions): number {
  const usual = 1 + prng.below(8);
  return faults.hits('reordered') ? usual + prng.below(1500) : usual;
}

function send(
  options: LifeNetworkOptions,
  surface: 'public' | 'operator',
  request: Request,
  onReply: (reply: Reply) => void,
): void {
  const { steps, faults } = options;
  let replied = false;
  const reply = (value: Reply): void => {
    if (replied) return;
    replied = true;
    cancel();
    onReply(value);
  };
  const cancel = steps.after(timeoutMs, () => reply(unknown));
  const travel = (onAnswer: (value: Reply) => void): void => {
    steps.after(drawMs(options), () => arrive(options, surface, request, onAnswer));
  };
  if (!faults.hits('requestLost')) travel(reply);
  if (request.single !== true && faults.hits('duplicated')) travel(() => {});
}

function arrive(
  options: LifeNetworkOptions,
  surface: 'public' | 'operator',
  request: Request,
  reply: (value: Reply) => void,
): void {
  const { steps, faults } = options;
  const listener = options.listener();
  options.touched();
  if (listener === undefined) {
    steps.after(1, () => reply(unknown));
    return;
  }
  let answered = false;
  const forget = listener.onDeath(() => {
    if (!answered) steps.after(1, () => reply(unknown));
    answered = true;
  });
  listener[surface](request, (answer: Answer) => {
    if (answered) return;
    answered = true;
    forget();
    if (faults.hits('answerLost')) return;
    steps.after(drawMs(options), () => reply({ kind: 'answered', answer }));
  });
}

type Dialling = {
  readonly path: string;
  readonly address: string;
  readonly listener: SocketListener;
};

// Texts of a socket arrive in order, however long each takes.
function connect(options: LifeNetworkOptions, dialling: Dialling): Socket {
  const { steps, prng, faults, touched } = options;
  const { path, address, listener } = dialling;
  const slow = faults.hits('slowReader');
  let session: PeerSession | undefined;
  let open = true;
  let sentAt = 0;
  let readAt = 0;
  const early: string[] = [];
  let forget = (): void => {};
  const end = (): void => {
    if (!open) return;
    open = false;
    forget();
    steps.after(1 + prng.below(4), listener.onClose);
  };
  const peer: Peer = {
    send: (text, taken) => {
      // A slow reader takes a few messages a second.
      readAt = Math.max(readAt, steps.now()) + (slow ? 50 + prng.below(400) : prng.below(3));
      steps.after(readAt - steps.now(), () => {
        taken();
        if (open) listener.onText(text);
      });
    },
    close: end,
  };
  steps.after(1 + prng.below(8), () => {
    const program = options.listener();
    touched();
    session = open ? program?.connect(path, address, peer) : undefined;
    if (session === undefined) return end();
    forget = program!.onDeath(end);
    for (const text of early.splice(0)) session.onText(text);
  });
  return {
    send: (text) => {
      sentAt = Math.max(sentAt, steps.now()) + prng.below(4);
      steps.after(sentAt - steps.now(), () => {
        if (!open) return;
        touched();
        if (session === undefined) early.push(text);
        else session.onText(text);
      });
    },
    close: () => {
      if (!open) return;
      session?.onClose();
      end();
    },
  };
}
