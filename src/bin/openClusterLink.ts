// The links of a process with the other processes of its deployment: it listens for those that
// follow it, and dials the one that it follows.

import type { Config } from '../config.ts';
import { type DialLink, dialLink, type LinkDialler } from '../link/dialLink.ts';
import { type Hello, linkVersion } from '../link/linkMessage.ts';
import type { LinkSecret } from '../link/linkSecret.ts';
import { serveLink } from '../link/serveLink.ts';
import { must } from '../std/assert.ts';
import { stopwatchMs, systemClock } from '../std/clock.ts';
import { systemScheduler } from '../std/scheduler.ts';
import { createFactShare, type FactShare } from './createFactShare.ts';
import { createLeadGate } from './createLeadGate.ts';
import { createOrderShare, type OrderShare } from './createOrderShare.ts';
import type { DataDirectory } from './dataDirectory.ts';
import type { LinkListener } from './leadFollowers.ts';
import { linkSecretOf } from './linkSecretOf.ts';
import { listening } from './listening.ts';
import { releaseVersion } from './releaseVersion.ts';

export type OpenClusterLink = {
  readonly config: Pick<Config, 'linkHost' | 'linkPort'>;
  readonly directory: Pick<DataDirectory, 'path'>;
  readonly deployment: string;
  /** This start of this process. */
  readonly process: string;
  readonly engineHash: string;
  readonly report: (message: string) => void;
};

export type ClusterLink = {
  /** Where the other processes reach this one. */
  readonly address: string;
  /** From now on this process answers those that want to follow it. */
  readonly lead: (listen: () => LinkListener) => void;
  /** What all processes know, exchanged over the links of this one. */
  readonly facts: FactShare;
  /** The order limits of the deployment, as this process counts them. */
  readonly orders: OrderShare;
  readonly dial: (events: Pick<DialLink, 'onOpen' | 'onMessage' | 'onEnd'>) => LinkDialler;
  readonly close: () => Promise<void>;
};

/** Rejects when it cannot listen. */
export async function openClusterLink(options: OpenClusterLink): Promise<ClusterLink> {
  const { config, directory, deployment, process, engineHash, report } = options;
  const { linkHost: host } = config;
  const hello: Hello = {
    ...{ kind: 'hello', version: linkVersion, process, release: releaseVersion(), engineHash },
  };
  let known: LinkSecret | undefined;
  const secret = (): LinkSecret | undefined => {
    const found = known === undefined ? linkSecretOf(directory) : undefined;
    if (found !== undefined) known = { deployment, secret: found };
    return known;
  };
  const shared = { hello, scheduler: systemScheduler, stopwatch: stopwatchMs };
  const facts = createFactShare({ clock: systemClock, scheduler: systemScheduler });
  const gate = createLeadGate(systemScheduler);
  const server = serveLink({ ...shared, secret, report, listen: gate.listen });
  const at = { host, port: config.linkPort };
  const port = await listening('link-', at, server.open(at));
  return {
    address: host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`,
    lead: gate.lead,
    dial: (events) =>
      dialLink({
        ...{ ...shared, ...events },
        secret: must(secret(), 'a process that follows has the secret of the link'),
      }),
    ...{ facts, orders: createOrderShare(systemClock) },
    close: () => {
      facts.close();
      return server.close('this process stops');
    },
  };
}
