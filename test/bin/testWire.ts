// A link between two processes in one program: messages as bytes, in their order, each in a turn of
// its own. The test cuts it, loses what is under way, or listens to it.

import type { LinkListener } from '../../src/bin/leadFollowers.ts';
import type { Link } from '../../src/link/createLink.ts';
import type { DialLink, LinkDialler } from '../../src/link/dialLink.ts';
import { LinkBreach } from '../../src/link/frameReader.ts';
import {
  decodeMessage,
  encodeMessage,
  type Hello,
  type LinkMessage,
  linkVersion,
} from '../../src/link/linkMessage.ts';

type Side = Pick<DialLink, 'onOpen' | 'onMessage' | 'onEnd'>;
type Direction = 'toHolder' | 'toFollower';

export type TestWire = {
  readonly dial: (events: Side) => LinkDialler;
  /** Another process opens a link to the holder, and says what the test wants. */
  readonly join: (name: string, engineHash?: string) => Joined;
  /** The link is lost, with everything under way, until it is mended. */
  readonly cut: () => void;
  readonly mend: () => void;
  /** From now on this message, which goes in that direction, is lost; undefined: none is. */
  readonly lose: (direction: Direction, kind: LinkMessage['kind'] | undefined) => void;
  /** Called with each message that leaves, before it is lost. */
  readonly watch: (listener: (direction: Direction, message: LinkMessage) => void) => void;
  /** Why links have ended, as the process that follows has heard it. */
  readonly ends: readonly string[];
};

export type Joined = {
  readonly send: (message: LinkMessage) => void;
  readonly got: readonly LinkMessage[];
  readonly ends: readonly string[];
};

const helloOf = (process: string, engineHash: string): Hello => ({
  ...{ kind: 'hello', version: linkVersion, process, release: 'test', engineHash },
});

export function createTestWire(follower: string, listen: () => LinkListener): TestWire {
  let events: Side | undefined;
  let target: string | undefined;
  let isCut = false;
  let leave = (_: string): void => {};
  const lost = new Map<Direction, LinkMessage['kind'] | undefined>();
  let watcher = (_: Direction, __: LinkMessage): void => {};
  const ends: string[] = [];

  const reach = (): void => {
    if (events === undefined || target === undefined || isCut) return;
    const { onOpen, onMessage, onEnd } = events;
    leave = connect(
      helloOf(follower, 'ab'),
      listen,
      {
        ...{ onOpen, onMessage },
        onEnd: (why) => {
          ends.push(why);
          onEnd(why);
        },
      },
      (direction, message) => {
        watcher(direction, message);
        return lost.get(direction) !== message.kind;
      },
    );
  };
  return {
    dial: (side) => {
      events = side;
      return {
        aim: (address) => {
          if (address === target) return;
          target = address;
          leave('the link is not needed any more');
          reach();
        },
      };
    },
    join: (name, engineHash = 'ab') => {
      const got: LinkMessage[] = [];
      const ended: string[] = [];
      let link: Link | undefined;
      connect(
        helloOf(name, engineHash),
        listen,
        {
          onOpen: (opened) => {
            link = opened;
          },
          onMessage: (_, message) => void got.push(message),
          onEnd: (why) => void ended.push(why),
        },
        () => true,
      );
      return { send: (message) => link?.send(message), got, ends: ended };
    },
    cut: () => {
      isCut = true;
      leave('the connection was lost');
    },
    mend: () => {
      // A link that is open stays the only one.
      if (!isCut) return;
      isCut = false;
      reach();
    },
    lose: (direction, kind) => void lost.set(direction, kind),
    watch: (listener) => {
      watcher = listener;
    },
    ends,
  };
}

/** Gives what ends the link for both. */
function connect(
  hello: Hello,
  listen: () => LinkListener,
  follower: Side,
  passes: (direction: Direction, message: LinkMessage) => boolean,
): (why: string) => void {
  const holder = listen();
  let ended = false;
  const end = (why: string): void => {
    if (ended) return;
    ended = true;
    holder.onEnd(why);
    follower.onEnd(why);
  };
  const sender = (direction: Direction, receive: (message: LinkMessage) => void) => {
    return (message: LinkMessage): void => {
      if (ended || !passes(direction, message)) return;
      const bytes = encodeMessage(message);
      setImmediate(() => {
        if (ended) return;
        try {
          receive(decodeMessage(bytes));
        } catch (error) {
          if (!(error instanceof LinkBreach)) throw error;
          end(error.message);
        }
      });
    };
  };
  const atHolder: Link = {
    ...{ peer: hello, flush: () => {}, close: end },
    send: sender('toFollower', (message) => follower.onMessage(atFollower, message)),
  };
  const atFollower: Link = {
    ...{ peer: helloOf('holder', 'ab'), flush: () => {}, close: end },
    send: sender('toHolder', (message) => holder.onMessage(atHolder, message)),
  };
  holder.onOpen(atHolder);
  if (!ended) follower.onOpen(atFollower);
  return end;
}
