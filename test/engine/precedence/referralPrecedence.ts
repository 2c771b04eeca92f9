// In which order the checks of commands about referral come (NAT-4).

import { createReferral } from '../../../src/engine/referral.ts';
import type { AccountId, Money, Rate } from '../../../src/units/units.ts';
import { accountUnknown, late } from './commonSpoilers.ts';
import type { Precedence, Spoiler } from './situation.ts';

type OfCode = 'setReferralCode' | 'bindReferral';

const disabled: Spoiler<OfCode> = {
  name: 'referralDisabled',
  spoil: ({ exchange }) => {
    exchange.referralTerms = { ...exchange.referralTerms, enabled: false };
  },
  holds: ({ exchange }) => !exchange.referralTerms.enabled,
};

const codeInvalid: Spoiler<OfCode> = {
  name: 'referralCodeInvalid',
  spoil: ({ command }) => {
    command.code = 'small';
  },
  holds: ({ command }) => command.code === 'small',
};

const internal: Spoiler<OfCode> = {
  name: 'referralNotEligible: internal',
  spoil: ({ account }) => {
    account.house = true;
  },
  holds: ({ account }) => account.house,
};

export const setReferralCodePrecedence: Precedence<'setReferralCode'> = {
  owner: 'carol',
  command: ({ account }) => ({ kind: 'setReferralCode', account: account.id, code: 'CAROL' }),
  spoilers: [
    late,
    accountUnknown,
    disabled,
    codeInvalid,
    internal,
    {
      name: 'referralCodePresent',
      spoil: ({ account }) => {
        account.referral = { ...createReferral(), code: 'OTHER' };
      },
      holds: ({ account }) => account.referral?.code === 'OTHER',
    },
    {
      name: 'referralCodeTaken',
      spoil: ({ command }) => {
        command.code = 'ALICE';
      },
      holds: ({ command, exchange }) => exchange.referralCodes.has(command.code),
    },
  ],
  impossible: [[['referralCodeInvalid'], ['referralCodeTaken'], 'no account has such a code']],
};

const codeUnknown: Spoiler<'bindReferral'> = {
  name: 'referralCodeUnknown',
  spoil: ({ command }) => {
    command.code = 'NOBODY';
  },
  holds: ({ command, exchange }) => !exchange.referralCodes.has(command.code),
};

export const bindReferralPrecedence: Precedence<'bindReferral'> = {
  owner: 'carol',
  command: ({ account }) => ({ kind: 'bindReferral', account: account.id, code: 'ALICE' }),
  spoilers: [
    late,
    accountUnknown,
    disabled,
    codeInvalid,
    codeUnknown,
    internal,
    {
      name: 'referralAlreadyBound',
      spoil: ({ account }) => {
        account.referral = { ...createReferral(), referrer: 2 as AccountId };
      },
      holds: ({ account }) => account.referral?.referrer === 2,
    },
    {
      name: 'referralAlreadyTraded',
      spoil: ({ account }) => {
        account.traded = true;
      },
      holds: ({ account }) => account.traded,
    },
    {
      name: 'referralSelf',
      spoil: ({ command, exchange, account }) => {
        command.code = 'OWN1';
        exchange.referralCodes.set('OWN1', account.id);
      },
      holds: ({ command, exchange, account }) =>
        exchange.referralCodes.get(command.code) === account.id,
    },
  ],
  impossible: [
    [
      ['referralCodeInvalid', 'referralCodeUnknown'],
      ['referralSelf'],
      'the own code is well formed and known',
    ],
  ],
};

export const claimReferralPrecedence: Precedence<'claimReferral'> = {
  owner: 'alice',
  command: ({ account }) => ({ kind: 'claimReferral', account: account.id }),
  spoilers: [
    late,
    accountUnknown,
    {
      name: 'referralNothingToClaim',
      spoil: ({ account }) => {
        account.referral!.accrued = 0 as Money;
      },
      holds: ({ account }) => account.referral?.accrued === 0,
    },
  ],
};

export const setReferralTermsPrecedence: Precedence<'setReferralTerms'> = {
  owner: 'carol',
  command: ({ exchange }) => ({ kind: 'setReferralTerms', terms: exchange.referralTerms }),
  spoilers: [
    late,
    {
      name: 'referralTermsInvalid',
      spoil: ({ command }) => {
        command.terms = { ...command.terms, share: -1 as Rate };
      },
      holds: ({ command }) => command.terms.share < 0,
    },
  ],
};
