// Codes, bindings and terms of referral (NAT-4): who may have a code, who may be bound to it and
// when, and what the operator may set.

import { expect, test } from 'vitest';
import { applyCommand, beginBatch } from '../../src/engine/apply.ts';
import type { Command } from '../../src/engine/command.ts';
import { guestLifeMs, referralChainMax } from '../../src/engine/limits.ts';
import { createReferral } from '../../src/engine/referral.ts';
import type { AccountId, Money, Time } from '../../src/units/units.ts';
import { play, scenario } from './scenario.ts';
import { accountOf, addressOf, createWorld, drain } from './world.ts';

const start = `
  market BTCUSDT
  credit rita 100
  credit anna 10000
  credit ben 10000
  rita code RITA
  index 60000
`;

scenario(
  'NAT-4a referralCodeInvalid: a code consists of 4 to 16 capital letters and digits',
  `
  ${start}
  anna code ABC -> referralCodeInvalid
  anna code ABCDEFGHIJ1234567 -> referralCodeInvalid
  anna code Anna -> referralCodeInvalid
  anna code anna -> referralCodeInvalid
  anna code AN-NA -> referralCodeInvalid
  anna code ÄNNA -> referralCodeInvalid
  anna bind rita -> referralCodeInvalid
  anna bind RIT -> referralCodeInvalid
  anna code ABCDEFGHIJ123456
  anna has code ABCDEFGHIJ123456
  ben code 2024
  ben has code 2024
  `,
);

scenario(
  'NAT-4a referralCodePresent referralCodeTaken: a code is set once, and belongs to one account',
  `
  ${start}
  anna code RITA -> referralCodeTaken
  rita code OTHER -> referralCodePresent
  rita code RITA -> referralCodePresent
  anna code ANNA
  rita has code RITA referees 0 boundTo none
  events referralCodeSet 2
  `,
);

scenario(
  'NAT-4a referralNotEligible: a guest and an internal account have no code, nor is one bound',
  `
  ${start}
  login dora
  dora code DORA -> referralNotEligible
  house ben
  ben code BENBEN -> referralNotEligible
  ben bind RITA -> referralNotEligible
  house rita
  anna bind RITA -> referralNotEligible
  house rita off
  anna bind RITA
  credit dora 1
  dora code DORA
  dora has code DORA
  `,
);

test('NAT-4 NAT-4a referralNotEligible, referralTermsInvalid: a refusal says why', () => {
  const world = play(createWorld(), `${start}\nlogin dora\nhouse ben`);
  const detailOf = (step: string, reason: string): unknown => {
    play(world, `${step} -> ${reason}`);
    const { last } = world;
    return last?.kind === 'rejected' && 'detail' in last.rejection && last.rejection.detail;
  };
  expect([
    detailOf('dora code DORA', 'referralNotEligible'),
    detailOf('ben code BENBEN', 'referralNotEligible'),
    detailOf('ben bind RITA', 'referralNotEligible'),
    detailOf('referral on discount 0.6', 'referralTermsInvalid'),
  ]).toEqual([
    'An account without a deposit has no referral code.',
    'An internal account has no referral code.',
    'Internal accounts take no part in referral.',
    'discount and share are rates from 0 to 0.5',
  ]);
});

scenario(
  'NAT-4a referralCodeUnknown referralAlreadyBound: an account is bound once, to a code that exists',
  `
  ${start}
  ben code BENBEN
  anna bind NOBODY -> referralCodeUnknown
  anna bind RITA
  anna has boundTo RITA
  anna bind RITA -> referralAlreadyBound
  anna bind BENBEN -> referralAlreadyBound
  rita has referees 1
  ben has referees 0
  events referralBound 1
  `,
);

scenario(
  'NAT-4a referralAlreadyTraded: an account is bound before its first trade, as taker or as maker',
  `
  ${start}
  credit cleo 10000
  anna sell 0.1 @ 60000
  cleo buy 0.1 @ 60000 FOK -> FILLED
  anna bind RITA -> referralAlreadyTraded
  cleo bind RITA -> referralAlreadyTraded
  # An order that rests is no trade.
  ben buy 0.1 @ 59000
  ben bind RITA
  `,
);

scenario(
  'NAT-4a ORD-4 referralAlreadyTraded: a trade with itself is a trade',
  `
  ${start}
  anna sell 0.1 @ 60000
  anna buy 0.1 @ 60000 stp NONE -> FILLED
  anna bind RITA -> referralAlreadyTraded
  `,
);

scenario(
  'NAT-4a ORD-10 an execution that is taken back is no trade',
  `
  ${start}
  ben sell 0.1 @ 60000
  anna test buy 0.1 @ 60000
  anna buy 0.2 @ 60000 FOK -> REJECTED
  anna bind RITA
  ben bind RITA
  `,
);

scenario(
  'NAT-4a referralSelf: no account is its own referrer, not even through others',
  `
  ${start}
  anna code ANNA
  ben code BENBEN
  credit cleo 100
  cleo code CLEO
  rita bind RITA -> referralSelf
  anna bind RITA
  rita bind ANNA -> referralSelf
  ben bind ANNA
  rita bind BENBEN -> referralSelf
  cleo bind BENBEN
  rita bind CLEO -> referralSelf
  # Beside the chain there is room, and above it.
  credit dora 100
  dora code DORA
  rita bind DORA
  dora bind CLEO -> referralSelf
  rita has referees 1 boundTo DORA
  `,
);

test('NAT-4a referralNotEligible: the chain that is looked through for a circle has a bound', () => {
  const world = play(createWorld(), `${start}\nanna bind RITA\nben code BENBEN\n`);
  const { exchange } = world;
  // Referrers one above the other, the last of them above Ben's future one.
  let above = accountOf(world, 'ben').id;
  const apply = (command: Command) => applyCommand(exchange, command, 0 as Time);
  const link = (n: number): AccountId => {
    const [address, reference] = [addressOf(world, `link${n}`), `link ${n}`];
    apply({ kind: 'credit', address, amount: 1 as Money, reference });
    const account = accountOf(world, `link${n}`);
    account.referral = { ...createReferral(), code: `LINK${n}`, referrer: above };
    exchange.accounts[above]!.referral!.referees += 1;
    exchange.referralCodes.set(`LINK${n}`, account.id);
    return account.id;
  };
  exchange.accounts[above]!.referral = { ...createReferral(), code: 'BENBEN' };
  for (let n = 1; n <= referralChainMax; n += 1) above = link(n);
  const bind = (name: string, code: string) =>
    apply({ kind: 'bindReferral', account: accountOf(world, name).id, code });
  // Rita has a referee: she could close a circle, and the chain above the last link is too long.
  expect(bind('rita', `LINK${referralChainMax}`)).toMatchObject({
    rejection: {
      reason: 'referralNotEligible',
      detail: 'This code has too many referrers above it for an account with referees.',
    },
  });
  // One link less, and the top is found.
  expect(bind('ben', `LINK${referralChainMax - 1}`)).toMatchObject({
    rejection: { reason: 'referralSelf' },
  });
  expect(bind('rita', `LINK${referralChainMax - 1}`).kind).toBe('accepted');
  // An account without referees closes no circle, however long the chain is.
  play(world, `credit dora 1\ndora bind LINK${referralChainMax}`);
});

test('NAT-4a AUTH-5a a guest may be bound, and nothing of the binding stays when it is forgotten', () => {
  const world = play(createWorld(), `${start}\nlogin dora\ndora bind RITA`);
  play(world, 'rita has referees 1\ndora has boundTo RITA');
  const { exchange } = world;
  const { id } = accountOf(world, 'dora');
  beginBatch(exchange, (exchange.time + guestLifeMs) as Time);
  drain(world);
  expect(exchange.accounts[id]).toBeUndefined();
  play(world, 'rita has referees 0');
  // Its number is another account's now, which is not bound.
  beginBatch(exchange, (exchange.time + 60_000) as Time);
  play(world, 'login eve');
  expect(accountOf(world, 'eve').id).toBe(id);
  play(world, 'eve has boundTo none');
});

scenario(
  'NAT-4 NAT-4d referralDisabled: while referral is off nothing is bound, saved or accrued',
  `
  ${start}
  anna bind RITA
  ben sell 0.2 @ 60000
  anna buy 0.1 @ 60000 -> FILLED
  rita has accrued 0.288
  referral off
  ben code BENBEN -> referralDisabled
  ben bind RITA -> referralDisabled
  anna has takerFee 0.0005
  anna buy 0.1 @ 60000 -> FILLED
  rita has accrued 0.288
  # What has accrued stays payable.
  rita claim
  rita has balance 100.288
  # Bindings of before follow the present terms.
  referral on
  anna has takerFee 0.00048
  `,
);

scenario(
  'NAT-4 new terms hold at once, for bindings of before too',
  `
  ${start}
  anna bind RITA
  referral on discount 0.5 share 0.25
  anna has takerFee 0.00025 makerFee 0.0001
  ben sell 0.1 @ 60000
  anna buy 0.1 @ 60000 -> FILLED
  # 1.5, of which 0.375.
  rita has accrued 0.375
  referral on discount 0 share 0
  anna has takerFee 0.0005
  anna sell 0.1 @ 60000
  ben buy 0.1 @ 60000 -> FILLED
  rita has accrued 0.375
  events referralTermsSet 2
  `,
);

scenario(
  'NAT-4 referralTermsInvalid: neither rate is below 0 or above 50 %',
  `
  ${start}
  referral on discount 0.50000001 -> referralTermsInvalid
  referral on share 0.50000001 -> referralTermsInvalid
  referral on discount -0.00000001 -> referralTermsInvalid
  referral off share -0.1 -> referralTermsInvalid
  referral on discount 0.5 share 0.5
  `,
);

scenario(
  'NAT-4 MAR-3 referralTermsInvalid termsInvalid feeTiersInvalid: the fee of a referee pays every rebate',
  `
  market BTCUSDT makerFee -0.00048001 -> termsInvalid makerFee
  market BTCUSDT makerFee -0.00048
  referral on discount 0.04002 -> referralTermsInvalid
  referral off discount 0.5
  change makerFee -0.0005
  referral on discount 0 share 0.5
  referral on discount 0.0001 -> referralTermsInvalid
  change makerFee -0.0003
  tiers 0:0:0 100:0:0.4
  referral on discount 0.0001 -> referralTermsInvalid
  tiers 0:0:0 100:0:0.3
  referral on discount 0.14
  tiers 0:0:0 100:0:0.4 -> feeTiersInvalid
  change takerFee 0.0004 -> termsInvalid makerFee
  `,
);

scenario(
  'NAT-4b NAT-4c an account that becomes internal takes no part as long as it is',
  `
  ${start}
  anna bind RITA
  house anna
  anna has takerFee 0.0005
  ben sell 0.1 @ 60000
  anna buy 0.1 @ 60000 -> FILLED
  rita has accrued 0
  house anna off
  house rita
  # The referee keeps its discount; the referrer accrues nothing.
  anna has takerFee 0.00048
  anna sell 0.1 @ 60000
  ben buy 0.1 @ 60000 -> FILLED
  rita has accrued 0
  house rita off
  ben sell 0.1 @ 60000
  anna buy 0.1 @ 60000 -> FILLED
  rita has accrued 0.288
  house rita
  rita claim
  rita has balance 100.288
  `,
);
