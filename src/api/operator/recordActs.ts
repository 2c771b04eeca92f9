// Records the operator's actions as they happen: each operation that changes something, with its
// parameters, the values before, the values after or the reason of the refusal, and the caller's
// address.

import {
  accountByAddress,
  apiKeyByText,
  creditByReference,
  marketBySymbol,
} from '../../engine/views/exchange.ts';
import { referralTermsOf } from '../../engine/views/referral.ts';
import { normalizeSymbol } from '../../units/symbol.ts';
import type { Context, Deployment } from '../deployment.ts';
import { failureAnswer } from '../errors/failureAnswer.ts';
import { feeTiersRecord } from '../feeTiersRecord.ts';
import { isFields, jsonNull, type Value } from '../fields.ts';
import { moneyText } from '../grid.ts';
import { type Answer, type Failure, isAnswer, isIntent, type Operation } from '../operation.ts';
import { referralTermsRecord } from '../referralTermsRecord.ts';
import { vaultRecord } from '../vaultRecord.ts';
import { marketRecord } from './marketRecord.ts';

export type Act = {
  /** The name of the operation. */
  readonly act: string;
  /** The client's network address. */
  readonly from: string;
  readonly asked: Readonly<Record<string, unknown>>;
  /** The members that are about to change; undefined where there was nothing before. */
  readonly before: Readonly<Record<string, unknown>> | undefined;
  /** The same members afterwards, or the whole answer; undefined when it was refused. */
  readonly after: unknown;
  /** Code and text of a refusal. */
  readonly refused: unknown;
};

export type RecordAct = (act: Act) => void;

/** The same rows; each row that changes something records what it did. */
export function recordActs(rows: readonly Operation[], record: RecordAct): Operation[] {
  return rows.map((row) => (row.method === 'GET' ? row : recorded(row, record)));
}

function recorded(row: Operation, record: RecordAct): Operation {
  switch (row.does) {
    case 'query':
      return row;
    case 'command':
      return {
        ...row,
        command: (context, parameters) => {
          const done = begin(row, context, record);
          const result = row.command(context, parameters);
          if (result instanceof Promise) return result.then(done);
          if (!isIntent(result)) return done(result);
          const answer: typeof result.answer = (outcome) => {
            const answered = result.answer(outcome);
            return answered instanceof Promise ? answered.then(done) : done(answered);
          };
          return { ...result, answer };
        },
      };
    case 'procedure':
      return {
        ...row,
        procedure: async (context, parameters) => {
          const done = begin(row, context, record);
          return done(await row.procedure(context, parameters));
        },
      };
  }
}

/** Remembers the values before; gives a function that records the action with its result. */
function begin(
  row: Operation,
  context: Context,
  record: RecordAct,
): <R extends Answer | Failure>(result: R) => R {
  const asked = askedOf(context);
  const before = standing[row.name]?.(context.deployment, asked);
  return (result) => {
    const done = isAnswer(result);
    const shown = done ? result : failureAnswer('operator', result, context.now);
    const body = JSON.parse(shown.text) as Readonly<Record<string, unknown>>;
    const same = (members: object) =>
      Object.fromEntries(Object.keys(members).map((name) => [name, body[name]]));
    record({
      act: row.name,
      from: context.client,
      asked: { ...asked, ...('api_key' in asked ? { api_key: shortKey(asked.api_key) } : {}) },
      before,
      after: done ? (before === undefined ? body : same(before)) : undefined,
      refused: done ? undefined : body.error,
    });
    return result;
  };
}

/** Enough of a key to recognise it, and too little to use it. */
const shortKey = (key: unknown): string => `${String(key).slice(0, 8)}…`;

function askedOf({ fields }: Context): Record<string, unknown> {
  return Object.fromEntries([...fields].map(([name, value]) => [name, plain(value)]));
}

function plain(value: Value): unknown {
  if (value === jsonNull) return null;
  if (typeof value === 'string') return value;
  if (isFields(value)) return Object.fromEntries([...value].map(([k, v]) => [k, plain(v)]));
  return (value as readonly Value[]).map(plain);
}

type Asked = Readonly<Record<string, unknown>>;
type Standing = (deployment: Deployment, asked: Asked) => Record<string, unknown> | undefined;

/** The values before the actions that replace something. All other actions only add. */
const standing: Readonly<Record<string, Standing>> = {
  setIndexPrice: (deployment, { symbol }) => pick(recordOf(deployment, symbol), ['index_price']),
  changeMarket: (deployment, asked) => {
    const record = recordOf(deployment, asked.symbol);
    const names = Object.keys(asked).filter((name) => name !== 'symbol');
    return pick(record, [...names, 'pending_raise']);
  },
  changeAccount: ({ exchange, login }, { address }) => {
    const known = login.parseAddress(String(address));
    const account = known === undefined ? undefined : accountByAddress(exchange, known);
    return account === undefined ? undefined : { house: account.house, fee_tier: account.feeTier };
  },
  changeApiKey: ({ exchange }, { api_key: key }) => {
    const rateTier = apiKeyByText(exchange, String(key))?.rateTier;
    return rateTier === undefined ? undefined : { rate_tier: rateTier };
  },
  correctCredit: ({ exchange }, { credit }) => {
    const known = creditByReference(exchange, String(credit));
    return known === undefined ? undefined : { amount: moneyText(known.amount) };
  },
  bindVault: ({ exchange }) => ({ vault: vaultRecord(exchange).vault }),
  setWithdrawalTerms: ({ exchange }) => {
    const { withdrawal_min, withdrawal_fee } = vaultRecord(exchange);
    return { withdrawal_min, withdrawal_fee };
  },
  setReferralTerms: ({ exchange }) => ({
    terms: referralTermsRecord(referralTermsOf(exchange)),
  }),
  setFeeTiers: ({ exchange }) => ({ tiers: feeTiersRecord(exchange.feeTiers) }),
};

function recordOf({ exchange }: Deployment, symbol: unknown): Asked {
  const market = marketBySymbol(exchange, normalizeSymbol(String(symbol)));
  return market === undefined ? {} : marketRecord(market, exchange.time);
}

const pick = (record: Asked, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.filter((name) => name in record).map((name) => [name, record[name]]));
