// In which order the checks of logins and of commands about API keys come.

import {
  apiKeysPerAccountMax,
  loginNoncesMax,
  unfundedAccountsMax,
  unfundedNumbersMax,
  unfundedWithKeysMax,
} from '../../../src/engine/limits.ts';
import type { AccountId, OrderId, Time } from '../../../src/units/units.ts';
import {
  accountsFull,
  accountUnknown,
  comeAsStranger,
  isStranger,
  late,
} from './commonSpoilers.ts';
import { type Kind, type Precedence, pretendSize, type Spoiler } from './situation.ts';

/**
 * The number of accounts without money is at its bound, and none is a guest that can be removed.
 */
const unfundedFull: Spoiler<'login'> = {
  name: 'capacityReached: accounts without money',
  spoil: (s) => {
    s.exchange.guests.unfunded = unfundedAccountsMax;
    comeAsStranger(s);
  },
  holds: (s) => {
    const { unfunded, waiting } = s.exchange.guests;
    return unfunded >= unfundedAccountsMax && waiting.items.length === 0 && isStranger(s);
  },
};

/** Their numbers are all taken, by forgotten accounts too: none has rested yet. */
const unfundedNumbersFull: Spoiler<'login'> = {
  name: 'capacityReached: numbers without money',
  spoil: (s) => {
    s.exchange.guests.vacancies.items.length = unfundedNumbersMax;
    comeAsStranger(s);
  },
  holds: (s) => s.exchange.guests.vacancies.items.length >= unfundedNumbersMax && isStranger(s),
};

/** Of the keys of accounts without money: it is the account's first. */
const keysWithoutMoneyFull: Spoiler<'createApiKey'> = {
  name: 'capacityReached: API keys without money',
  spoil: ({ exchange, account }) => {
    account.funded = false;
    account.apiKeys.length = 0;
    exchange.guests.unfundedWithKeys = unfundedWithKeysMax;
  },
  holds: ({ exchange, account }) =>
    !account.funded &&
    account.apiKeys.length === 0 &&
    exchange.guests.unfundedWithKeys >= unfundedWithKeysMax,
};

export const loginPrecedence: Precedence<'login'> = {
  owner: 'carol',
  command: ({ account, exchange }) => ({
    kind: 'login',
    address: account.address,
    nonce: 'new',
    expiresAt: (exchange.time + 1000) as Time,
  }),
  spoilers: [
    late,
    {
      name: 'nonceUsed',
      spoil: ({ exchange, command }) => {
        exchange.nonces.set('new', command.expiresAt);
      },
      holds: ({ exchange, command }) => exchange.nonces.has(command.nonce),
    },
    {
      name: 'nonceExpired',
      spoil: ({ exchange, command }) => {
        command.expiresAt = exchange.time;
      },
      holds: ({ exchange, command }) => command.expiresAt <= exchange.time,
    },
    {
      name: 'capacityReached: nonces',
      spoil: ({ exchange }) => pretendSize(exchange.nonces, loginNoncesMax),
      holds: ({ exchange }) => exchange.nonces.size >= loginNoncesMax,
    },
    accountsFull,
    unfundedNumbersFull,
    unfundedFull,
  ],
  deviations: [
    [
      ['nonceUsed', 'nonceExpired'],
      [
        'capacityReached: nonces',
        'capacityReached: accounts',
        'capacityReached: numbers without money',
        'capacityReached: accounts without money',
      ],
      'a login that can never pass is not asked to come again',
    ],
  ],
};

export const createApiKeyPrecedence: Precedence<'createApiKey'> = {
  owner: 'carol',
  command: ({ account }) => ({
    kind: 'createApiKey',
    account: account.id,
    apiKey: 'ab'.repeat(32),
    profile: 'a profile',
  }),
  spoilers: [
    late,
    accountUnknown,
    keysWithoutMoneyFull,
    {
      name: 'apiKeysLimit',
      spoil: ({ account }) => {
        account.apiKeys.length = apiKeysPerAccountMax;
      },
      holds: ({ account }) => account.apiKeys.length >= apiKeysPerAccountMax,
    },
    {
      name: 'referenceConflict',
      spoil: ({ exchange, command }) => {
        exchange.apiKeys.set(command.apiKey, {} as never);
      },
      holds: ({ exchange, command }) => exchange.apiKeys.has(command.apiKey),
    },
  ],
  impossible: [
    [
      ['capacityReached: API keys without money'],
      ['apiKeysLimit'],
      'the first key of an account is not one too many',
    ],
  ],
};

const keyUnknown = <K extends Kind>(): Spoiler<K> => ({
  name: 'apiKeyUnknown',
  spoil: ({ exchange, account }) => {
    account.apiKeys.length = 0;
    exchange.apiKeys.clear();
  },
  holds: ({ account }) => account.apiKeys.length === 0,
});

export const updateApiKeyPrecedence: Precedence<'updateApiKey'> = {
  owner: 'carol',
  command: ({ account }) => {
    const { id, createdAt } = account.apiKeys[0]!;
    const named = { account: account.id, id, createdAt };
    return { kind: 'updateApiKey', ...named, status: 'disabled', profile: undefined };
  },
  spoilers: [
    late,
    keyUnknown(),
    {
      name: 'apiKeyChanged',
      spoil: ({ command }) => {
        command.profile = 'new';
        command.before = 'the profile before the last';
      },
      holds: ({ command }) => command.before === 'the profile before the last',
    },
  ],
};

export const deleteApiKeyPrecedence: Precedence<'deleteApiKey'> = {
  owner: 'carol',
  command: ({ account }) => {
    const { id, createdAt } = account.apiKeys[0]!;
    return { kind: 'deleteApiKey', account: account.id, id, createdAt };
  },
  spoilers: [late, keyUnknown()],
};

export const setRateTierPrecedence: Precedence<'setRateTier'> = {
  owner: 'carol',
  command: ({ account }) => ({
    kind: 'setRateTier',
    apiKey: account.apiKeys[0]!.apiKey,
    rateTier: 'house',
  }),
  spoilers: [late, keyUnknown()],
};

export const endSessionsPrecedence: Precedence<'endSessions'> = {
  owner: 'carol',
  command: ({ account }) => ({
    kind: 'endSessions',
    account: account.id,
    session: undefined,
    kept: 0 as OrderId,
  }),
  spoilers: [
    late,
    {
      name: 'accountUnknown',
      spoil: ({ command }) => {
        command.account = 99 as AccountId;
      },
      holds: ({ command }) => command.account === 99,
    },
    {
      name: 'sessionUnknown',
      spoil: ({ command, exchange }) => {
        command.session = { id: 7 as OrderId, createdAt: exchange.time };
      },
      holds: ({ command }) => command.session !== undefined,
    },
  ],
};
