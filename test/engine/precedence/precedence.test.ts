// Goal: of two reasons that apply to one command at once, the exchange gives the one that the order
// of checks puts first (STYLE 12): that of rejection.ts, except what an operation states. Method:
// every pair of reasons of every operation is made to apply to a command that was good.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { applyCommand } from '../../../src/engine/apply.ts';
import type { Command } from '../../../src/engine/command.ts';
import type { Time } from '../../../src/units/units.ts';
import {
  createApiKeyPrecedence,
  deleteApiKeyPrecedence,
  endSessionsPrecedence,
  loginPrecedence,
  setRateTierPrecedence,
  updateApiKeyPrecedence,
} from './accessPrecedence.ts';
import {
  cancelAllOrdersPrecedence,
  cancelAllTriggersPrecedence,
  cancelOrderPrecedence,
  cancelTriggerPrecedence,
  correctCreditPrecedence,
  creditInsurancePrecedence,
  creditPrecedence,
  requestWithdrawalPrecedence,
  resolveWithdrawalPrecedence,
  setCountdownPrecedence,
  setLeveragePrecedence,
  setMarginModePrecedence,
  transferCollateralPrecedence,
} from './accountPrecedence.ts';
import {
  armConnectionPrecedence,
  disarmConnectionPrecedence,
  endConnectionsPrecedence,
} from './connectionPrecedence.ts';
import { setProtectionPrecedence } from './legPrecedence.ts';
import {
  batchPrecedence,
  changeMarketPrecedence,
  flagAccountPrecedence,
  indexTickPrecedence,
  listMarketPrecedence,
  setFeeTiersPrecedence,
  settleFundingPrecedence,
} from './marketPrecedence.ts';
import { modifyOrderPrecedence, placeOrderPrecedence } from './orderPrecedence.ts';
import {
  bindReferralPrecedence,
  claimReferralPrecedence,
  setReferralCodePrecedence,
  setReferralTermsPrecedence,
} from './referralPrecedence.ts';
import {
  type Kind,
  type Pairs,
  type Precedence,
  type Situation,
  type Spoiler,
  situationOf,
} from './situation.ts';
import { modifyTriggerPrecedence } from './triggerChangePrecedence.ts';
import { placeTriggerPrecedence } from './triggerPrecedence.ts';
import {
  bindVaultPrecedence,
  creditDepositPrecedence,
  reportWithdrawalPrecedence,
  setWithdrawalTermsPrecedence,
} from './vaultPrecedence.ts';

/** Of every command: one that is new does not compile without its order. */
const precedences: { readonly [K in Kind]: Precedence<K> } = {
  placeOrder: placeOrderPrecedence,
  placeTrigger: placeTriggerPrecedence,
  modifyTrigger: modifyTriggerPrecedence,
  modifyOrder: modifyOrderPrecedence,
  cancelOrder: cancelOrderPrecedence,
  cancelTrigger: cancelTriggerPrecedence,
  cancelAllOrders: cancelAllOrdersPrecedence,
  cancelAllTriggers: cancelAllTriggersPrecedence,
  batch: batchPrecedence,
  setProtection: setProtectionPrecedence,
  setLeverage: setLeveragePrecedence,
  setCountdown: setCountdownPrecedence,
  setMarginMode: setMarginModePrecedence,
  transferCollateral: transferCollateralPrecedence,
  requestWithdrawal: requestWithdrawalPrecedence,
  resolveWithdrawal: resolveWithdrawalPrecedence,
  login: loginPrecedence,
  endSessions: endSessionsPrecedence,
  createApiKey: createApiKeyPrecedence,
  updateApiKey: updateApiKeyPrecedence,
  deleteApiKey: deleteApiKeyPrecedence,
  setRateTier: setRateTierPrecedence,
  credit: creditPrecedence,
  correctCredit: correctCreditPrecedence,
  creditInsurance: creditInsurancePrecedence,
  indexTick: indexTickPrecedence,
  settleFunding: settleFundingPrecedence,
  setFeeTiers: setFeeTiersPrecedence,
  setReferralCode: setReferralCodePrecedence,
  bindReferral: bindReferralPrecedence,
  claimReferral: claimReferralPrecedence,
  setReferralTerms: setReferralTermsPrecedence,
  armConnection: armConnectionPrecedence,
  disarmConnection: disarmConnectionPrecedence,
  endConnections: endConnectionsPrecedence,
  flagAccount: flagAccountPrecedence,
  listMarket: listMarketPrecedence,
  changeMarket: changeMarketPrecedence,
  bindVault: bindVaultPrecedence,
  creditDeposit: creditDepositPrecedence,
  reportWithdrawal: reportWithdrawalPrecedence,
  setWithdrawalTerms: setWithdrawalTermsPrecedence,
};

const rejections = resolve(import.meta.dirname, '../../../src/engine/rejection.ts');
const documented = [...readFileSync(rejections, 'utf8').matchAll(/reason: '(\w+)'/g)].map(
  ([, reason]) => reason!,
);

type Any = Precedence<Kind>;
type AnySpoiler = Spoiler<Kind>;

const reasonOf = ({ name }: AnySpoiler): string => name.split(':')[0]!;

/** The answer of the exchange: a reason, or 'accepted'. */
function answer({ exchange, command, deadline }: Situation<Kind>): string {
  const outcome = applyCommand(exchange, command as Command, deadline as Time);
  return outcome.kind === 'rejected' ? outcome.rejection.reason : outcome.kind;
}

/** A situation in which all of them apply, with its conditions made in any order. */
function spoiled(precedence: Any, spoilers: readonly AnySpoiler[]): Situation<Kind> | undefined {
  for (const order of [spoilers, [...spoilers].reverse()]) {
    const situation = situationOf(precedence);
    for (const { spoil } of order) spoil(situation);
    if (spoilers.every(({ holds }) => holds(situation))) return situation;
  }
  return undefined;
}

const pairsOf = ({ spoilers }: Any): [AnySpoiler, AnySpoiler][] =>
  spoilers.flatMap((first, at) =>
    spoilers.slice(at + 1).map((second): [AnySpoiler, AnySpoiler] => [first, second]),
  );

const nameOf = (first: string, second: string): string => `${first} before ${second}`;

/** Both ways, because what cannot hold together has no order. */
const listed = (groups: readonly Pairs[] = [], bothWays = false): string[] =>
  groups.flatMap(([firsts, seconds]) =>
    firsts.flatMap((first) =>
      seconds.flatMap((second) =>
        bothWays ? [nameOf(first, second), nameOf(second, first)] : [nameOf(first, second)],
      ),
    ),
  );

describe.each(Object.keys(precedences) as Kind[])('%s', (kind) => {
  const precedence = precedences[kind] as unknown as Any;
  const pairs = pairsOf(precedence);

  test('is accepted unchanged, and each reason applies alone', () => {
    expect(answer(situationOf(precedence))).toBe('accepted');
    for (const spoiler of precedence.spoilers) {
      expect(spoiler.holds(situationOf(precedence)), `${spoiler.name} before`).toBe(false);
      const situation = spoiled(precedence, [spoiler]);
      expect(situation, spoiler.name).toBeDefined();
      expect(answer(situation!), spoiler.name).toBe(reasonOf(spoiler));
    }
  });

  test('of two reasons the first one is reported', () => {
    for (const [first, second] of pairs) {
      const situation = spoiled(precedence, [first, second]);
      if (situation === undefined) continue;
      expect(answer(situation), nameOf(first.name, second.name)).toBe(reasonOf(first));
    }
  });

  test('exactly the pairs that are listed as impossible are impossible', () => {
    const known = listed(precedence.impossible, true);
    const none = pairs.filter((pair) => spoiled(precedence, pair) === undefined);
    const names = none.map(([first, second]) => nameOf(first.name, second.name));
    expect(names.filter((name) => !known.includes(name))).toEqual([]);
    const all = new Set(none.flatMap(([{ name: a }, { name: b }]) => [nameOf(a, b), nameOf(b, a)]));
    expect(known.filter((name) => !all.has(name))).toEqual([]);
  });

  test('the order is that of rejection.ts except for the listed pairs', () => {
    const place = (spoiler: AnySpoiler): number => documented.indexOf(reasonOf(spoiler));
    const inverted = pairs
      .filter(([first, second]) => place(first) > place(second))
      .filter((pair) => spoiled(precedence, pair) !== undefined)
      .map(([first, second]) => nameOf(first.name, second.name));
    expect(inverted.sort()).toEqual(listed(precedence.deviations).sort());
  });
});

test('every reason except a fault is in the order of some operation', () => {
  const covered = new Set(
    Object.values(precedences).flatMap((each) => (each as unknown as Any).spoilers.map(reasonOf)),
  );
  // A try of a trigger has the other one (ATT-7).
  const ofNoCommand = ['fault', 'counterpartyMissing'];
  expect(documented.filter((reason) => !covered.has(reason))).toEqual(ofNoCommand);
});
