// Keeps a link to the process that the owner names, and reaches for it again when it is lost.

import { connect } from 'node:tls';
import { createLink, type LinkOptions } from './createLink.ts';
import { identityOf, isProven, type LinkSecret, linkTls, whyFailed } from './linkSecret.ts';
import { createRedial, pauseAfter } from './redial.ts';

export type DialLink = Omit<LinkOptions, 'onEnd'> & {
  readonly secret: LinkSecret;
  /** Called when a link has ended, and for each attempt that failed. */
  readonly onEnd: (why: string) => void;
};

export type LinkDialler = {
  /** `host:port` of the peer from now on; undefined: none. A link to another one ends. */
  readonly aim: (address: string | undefined) => void;
};

const connectMs = 2000;

export function dialLink(options: DialLink): LinkDialler {
  const { secret, scheduler, stopwatch, onEnd } = options;
  const identity = identityOf(secret);
  let target: string | undefined;
  let redial = createRedial();
  let leave = (): void => {};

  const attempt = (address: string): void => {
    let over = false;
    let openedAt: number | undefined;
    const end = (why: string): void => {
      if (over) return;
      over = true;
      cancelLate();
      socket.destroy();
      onEnd(why);
      if (target !== address) return;
      const livedMs = openedAt === undefined ? 0 : stopwatch() - openedAt;
      leave = scheduler.after(pauseAfter(redial, livedMs), () => attempt(address));
    };
    const socket = connect({
      ...{ ...linkTls, ...placeOf(address) },
      pskCallback: () => ({ psk: secret.secret, identity }),
      // No certificate is ever taken; see isProven.
      ca: [],
    });
    const cancelLate = scheduler.after(connectMs, () => end(`${address} does not answer`));
    socket.on('error', (error) => end(whyFailed(error)));
    socket.on('close', () => end('the connection was lost'));
    leave = () => end('the link is not needed any more');
    socket.once('secureConnect', () => {
      if (!isProven(socket)) return end(`${address} has not proven the secret of the link`);
      cancelLate();
      openedAt = stopwatch();
      socket.setNoDelay(true);
      const close = createLink(socket, { ...options, onEnd: end });
      leave = () => close('the link is not needed any more');
    });
  };
  return {
    aim: (address) => {
      if (address === target) return;
      target = address;
      redial = createRedial();
      leave();
      leave = () => {};
      if (address !== undefined) attempt(address);
    },
  };
}

/** The parts of `host:port`; the host may be an address of IPv6 in brackets. */
function placeOf(address: string): { readonly host: string; readonly port: number } {
  const at = address.lastIndexOf(':');
  return {
    host: address.slice(0, at).replace(/^\[|\]$/g, ''),
    port: Number(address.slice(at + 1)),
  };
}
