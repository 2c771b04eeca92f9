// Which requests left this process, from any client: the stock clients use the platform's two HTTP
// clients, and both report every request.

import { subscribe, unsubscribe } from 'node:diagnostics_channel';

export type RequestWatch = {
  /** `METHOD /path` of every request since the last call, without query. */
  readonly take: () => string[];
  readonly stop: () => void;
};

const channels = ['http.client.request.start', 'undici:request:create'] as const;

export function watchRequests(): RequestWatch {
  let seen: string[] = [];
  const note = (message: unknown): void => {
    const { request } = message as { request: { method: string; path: string } };
    seen.push(`${request.method} ${request.path.split('?')[0]}`);
  };
  for (const channel of channels) subscribe(channel, note);
  return {
    take: () => {
      const taken = seen;
      seen = [];
      return taken;
    },
    stop: () => {
      for (const channel of channels) unsubscribe(channel, note);
    },
  };
}
