// A market stream of the convention: it has no snapshot, cannot be resumed, and its messages have
// no place (conventions, 13.4).

import { type Opening, publish } from '../fanout.ts';
import type { StreamContext } from '../streamContext.ts';

export type Send = (message: object) => void;

/** `follow` begins to send and gives the function that ends it. */
export function publicOpening(
  { fanout }: StreamContext,
  name: string,
  follow: (send: Send) => () => void,
): Opening {
  return {
    key: name,
    name,
    resumable: false,
    open: (channel) => ({
      snapshot: () => undefined,
      close: follow((message) => {
        const text = JSON.stringify(message);
        publish(fanout, channel(), () => text);
      }),
    }),
  };
}
