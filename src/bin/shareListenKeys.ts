// Listen keys among the processes of a deployment: what one says of them, as facts for the others.

import type { ListenKeyExchange } from '../gateway/createGateway.ts';
import { deriveListenKeyKey } from '../gateway/identity/makeListenKey.ts';
import { listenKeyLifeMs } from '../streams/fapi/listenKeys.ts';
import type { AccountId } from '../units/units.ts';
import type { FactShare } from './createFactShare.ts';

/** Words before the number of the account. */
const [opened, closed] = ['listen', 'unlisten'];
/** Longer than clocks differ. */
const spareMs = 60_000;

export function shareListenKeys(
  jwtSecret: string,
  { say, onHeard }: Pick<FactShare, 'say' | 'onHeard'>,
): ListenKeyExchange {
  return {
    key: deriveListenKeyKey(jwtSecret),
    say: (news) => {
      if (news.kind === 'open') {
        const { account, key, expiresAt } = news;
        const until = expiresAt + spareMs;
        return say({ name: `${opened} ${account}`, version: expiresAt, until, value: key });
      }
      const { account, madeUpTo } = news;
      const until = madeUpTo + listenKeyLifeMs + spareMs;
      say({ name: `${closed} ${account}`, version: madeUpTo, until, value: '' });
    },
    onNews: (hear) => {
      onHeard(opened, ({ name, version: expiresAt, value: key }) =>
        hear({ kind: 'open', account: accountOf(name), key, expiresAt }),
      );
      onHeard(closed, ({ name, version: madeUpTo }) =>
        hear({ kind: 'close', account: accountOf(name), madeUpTo }),
      );
    },
  };
}

const accountOf = (name: string): AccountId => Number(name.slice(name.indexOf(' '))) as AccountId;
