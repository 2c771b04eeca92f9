// The record that the gateway's files share: its ports, its keys and its limits. createGateway.ts
// makes it; the handlers use it.

import type { Deployment } from '../api/deployment.ts';
import type { Replica } from '../replica/replica.ts';
import type { Clock } from '../std/clock.ts';
import type { Disconnects } from '../streams/disconnectSwitch.ts';
import type { Streams } from '../streams/streams.ts';
import type { AccessTokens } from './identity/accessToken.ts';
import type { KeyArrivals } from './keyArrivals.ts';
import type { KeyRing } from './keyRing.ts';
import type { LastUsed } from './lastUsed.ts';
import type { RateLimits } from './rateLimits.ts';
import type { SessionsUsed } from './sessionsUsed.ts';

/** One answer that has left, for metrics and the journal. */
export type Served = {
  readonly operation: string;
  readonly status: number;
  readonly milliseconds: number;
  readonly method: string;
  /** Path and query as the client sent them: they may hold secrets. */
  readonly target: string;
};

export type Gateway = {
  readonly deployment: Deployment;
  readonly replica: Pick<
    Replica,
    'exchange' | 'submit' | 'whyRefused' | 'whenDurable' | 'whenCurrent'
  >;
  readonly clock: Clock;
  readonly tokens: AccessTokens;
  /** The bearer token of the operator's surface. */
  readonly operatorToken: string;
  readonly trustedProxies: ReadonlySet<string>;
  /** Whether a client at this address belongs to the deployment's own networks (CON-3). */
  readonly isInternal: (address: string) => boolean;
  readonly keys: KeyRing;
  /** Of a process that shares the keys with others. */
  readonly keyArrivals: KeyArrivals | undefined;
  readonly lastUsed: LastUsed;
  readonly sessionsUsed: SessionsUsed;
  readonly limits: RateLimits;
  readonly streams: Streams;
  readonly disconnects: Disconnects;
  /** Called with every exception. It is a fault of ours and is answered with 500. */
  readonly onFault: (error: unknown, operation: string) => void;
  readonly onServed: ((served: Served) => void) | undefined;
};
