// Goal: what a replica decodes is what the gateway encoded, for every command; damaged or foreign
// bytes are faults, never commands. Method: generated commands of every kind, and every record with
// bytes cut, added and changed.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeCommand, encodeCommand, skipCommand } from '../../src/engine/codec/commandCodec.ts';
import type { Command } from '../../src/engine/command.ts';
import { apiKeyStatuses, marginModes, rateTiers } from '../../src/engine/marginModes.ts';
import { marketStatuses, underlyingTypes } from '../../src/engine/marketTerms.ts';
import {
  orderTypes,
  selfTradeModes,
  timesInForce,
  workingTypes,
} from '../../src/engine/orderTypes.ts';
import { triggerRoutes, triggerTypes } from '../../src/engine/triggerTypes.ts';
import { withdrawalFacts } from '../../src/engine/vaultCommand.ts';
import { Fault } from '../../src/std/assert.ts';
import {
  createByteReader,
  createByteWriter,
  readText,
  writeText,
  writtenBytes,
} from '../../src/std/bytes.ts';
import type { Time } from '../../src/units/units.ts';

const integer = fc.maxSafeInteger();
const account = fc.nat(0xffff_ffff);
const market = fc.nat(0xfffe);
const text = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 300 }),
  // Any UTF-16 units, unpaired surrogates included.
  fc.array(fc.nat(0xffff), { maxLength: 20 }).map((units) => String.fromCharCode(...units)),
);
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const hexText = (size: number) =>
  fc
    .uint8Array({ minLength: size, maxLength: size })
    .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`);
const address = hexText(20);
const hash = hexText(32);
const kind = <T extends string>(name: T) => fc.constant(name);
const side = fc.constantFrom(1, -1);

const reference = fc.oneof(
  fc.record({ id: integer, createdAt: integer }, { noNullPrototype: true }),
  fc.record({ clientOrderId: text }, { noNullPrototype: true }),
);

const leg = fc.record({ stopTicks: integer, ticks: integer }, { noNullPrototype: true });
const attached = fc.record(
  { takeProfit: optional(leg), stopLoss: optional(leg) },
  { noNullPrototype: true },
);
const placeOrder = fc.record(
  {
    kind: kind('placeOrder'),
    account,
    market,
    side,
    type: fc.constantFrom(...orderTypes),
    timeInForce: fc.constantFrom(...timesInForce),
    lots: integer,
    quote: fc.oneof(fc.constant(0), integer),
    ticks: integer,
    reduceOnly: fc.boolean(),
    selfTradeMode: optional(fc.constantFrom(...selfTradeModes)),
    workingType: fc.constantFrom(...workingTypes),
    priceProtect: fc.boolean(),
    clientOrderId: text,
    maxSlippage: optional(integer),
    attached: optional(attached),
    idempotencyKey: text,
    idempotencyRequest: text,
  },
  { noNullPrototype: true },
);
const placeTrigger = fc.record(
  {
    kind: kind('placeTrigger'),
    account,
    market,
    route: fc.constantFrom(...triggerRoutes),
    side,
    type: fc.constantFrom(...triggerTypes),
    timeInForce: fc.constantFrom(...timesInForce),
    lots: integer,
    ticks: integer,
    stopTicks: integer,
    callbackRate: integer,
    activationTicks: integer,
    goodTillDate: integer,
    reduceOnly: fc.boolean(),
    closePosition: fc.boolean(),
    selfTradeMode: optional(fc.constantFrom(...selfTradeModes)),
    workingType: fc.constantFrom(...workingTypes),
    priceProtect: fc.boolean(),
    clientOrderId: text,
    attached: optional(attached),
    idempotencyKey: text,
    idempotencyRequest: text,
  },
  { noNullPrototype: true },
);
const cancelOrder = fc.record(
  { kind: kind('cancelOrder'), account, market: optional(market), order: reference },
  { noNullPrototype: true },
);
const modifyOrder = fc.record(
  {
    kind: kind('modifyOrder'),
    account,
    market,
    order: reference,
    side: optional(side),
    lots: integer,
    ticks: integer,
  },
  { noNullPrototype: true },
);

const terms = {
  maxLeverage: integer,
  maintenanceMarginRate: integer,
  liquidationFeeRate: integer,
  minOrderSize: integer,
  maxOrderSize: integer,
  openInterestCap: integer,
  fundingFactor: integer,
  maxFundingRate: integer,
  minFundingRate: integer,
  fundingIntervalHours: integer,
  maxMarketSlippage: integer,
  markClamp: integer,
  markBand: integer,
  makerFee: integer,
  takerFee: integer,
  selfTradePrevention: fc.constantFrom(...selfTradeModes),
  indexSources: fc.array(fc.record({ source: text, weight: integer }, { noNullPrototype: true }), {
    maxLength: 5,
  }),
  underlyingType: fc.constantFrom(...underlyingTypes),
  deliveryTime: integer,
  brackets: fc.array(fc.record({ upTo: integer, rate: integer }, { noNullPrototype: true }), {
    maxLength: 16,
  }),
  priceBand: integer,
  accountShareMax: integer,
  fundFeeShare: integer,
  fundTarget: integer,
  gapRate: integer,
};
const grid = fc.record({ decimals: integer, step: integer }, { noNullPrototype: true });
const record = <T extends Record<string, fc.Arbitrary<unknown>>>(fields: T) =>
  fc.record(fields, { noNullPrototype: true });

const keyUpdate = {
  kind: kind('updateApiKey'),
  account,
  id: integer,
  createdAt: integer,
  status: optional(fc.constantFrom(...apiKeyStatuses)),
  profile: optional(text),
};

const commands: Record<Command['kind'], fc.Arbitrary<unknown>> = {
  placeOrder,
  cancelOrder,
  modifyOrder,
  batch: record({
    kind: kind('batch'),
    items: fc.array(fc.oneof(placeOrder, placeTrigger, cancelOrder, modifyOrder), {
      maxLength: 10,
    }),
  }),
  cancelAllOrders: record({
    kind: kind('cancelAllOrders'),
    account,
    market: optional(market),
  }),
  placeTrigger,
  cancelTrigger: record({
    kind: kind('cancelTrigger'),
    account,
    market: optional(market),
    order: reference,
  }),
  setProtection: record({
    kind: kind('setProtection'),
    account,
    market,
    takeProfit: fc.option(optional(leg)),
    stopLoss: fc.option(optional(leg)),
  }),
  cancelAllTriggers: record({
    kind: kind('cancelAllTriggers'),
    account,
    market: optional(market),
    route: optional(fc.constantFrom(...triggerRoutes)),
  }),
  endSessions: record({
    kind: kind('endSessions'),
    account,
    session: optional(record({ id: fc.integer({ min: 1 }), createdAt: integer })),
    kept: integer,
  }),
  armConnection: record({
    kind: kind('armConnection'),
    account,
    connection: integer,
    markets: fc.array(market, { maxLength: 40 }),
  }),
  disarmConnection: record({ kind: kind('disarmConnection'), account, connection: integer }),
  endConnections: record({
    kind: kind('endConnections'),
    connections: optional(fc.array(integer, { maxLength: 1000 })),
  }),
  bindVault: record({
    kind: kind('bindVault'),
    chainId: integer,
    address,
    token: address,
    tokenDecimals: fc.nat(255),
    codeHash: hash,
    deployBlock: integer,
  }),
  creditDeposit: record({
    kind: kind('creditDeposit'),
    index: integer,
    address,
    units: integer,
    hash,
  }),
  reportWithdrawal: record({
    kind: kind('reportWithdrawal'),
    id: integer,
    createdAt: integer,
    fact: fc.constantFrom(...withdrawalFacts),
    blockTime: integer,
  }),
  setWithdrawalTerms: record({ kind: kind('setWithdrawalTerms'), min: integer, fee: integer }),
  modifyTrigger: record({
    kind: kind('modifyTrigger'),
    account,
    market,
    order: reference,
    lots: optional(integer),
    ticks: optional(integer),
    stopTicks: optional(integer),
    callbackRate: optional(integer),
  }),
  creditInsurance: record({ kind: kind('creditInsurance'), amount: integer, reference: text }),
  settleFunding: record({ kind: kind('settleFunding'), market }),
  setMarginMode: record({
    kind: kind('setMarginMode'),
    account,
    mode: fc.constantFrom(...marginModes),
  }),
  transferCollateral: record({
    kind: kind('transferCollateral'),
    account,
    market,
    delta: integer,
  }),
  requestWithdrawal: record({
    kind: kind('requestWithdrawal'),
    account,
    amount: integer,
    idempotencyKey: text,
    idempotencyRequest: text,
  }),
  resolveWithdrawal: record({
    kind: kind('resolveWithdrawal'),
    id: integer,
    action: fc.constantFrom('complete', 'release'),
  }),
  setFeeTiers: record({
    kind: kind('setFeeTiers'),
    tiers: fc.array(
      record({ minVolume: integer, makerDiscount: integer, takerDiscount: integer }),
      { maxLength: 40 },
    ),
  }),
  setReferralCode: record({ kind: kind('setReferralCode'), account, code: text }),
  bindReferral: record({ kind: kind('bindReferral'), account, code: text }),
  claimReferral: record({ kind: kind('claimReferral'), account }),
  setReferralTerms: record({
    kind: kind('setReferralTerms'),
    terms: record({ enabled: fc.boolean(), discount: integer, share: integer }),
  }),
  setLeverage: record({ kind: kind('setLeverage'), account, market, leverage: fc.double() }),
  setCountdown: record({ kind: kind('setCountdown'), account, market, milliseconds: fc.double() }),
  indexTick: record({
    kind: kind('indexTick'),
    prices: fc.array(
      record({
        market,
        source: fc.oneof(fc.constantFrom('one', 'two'), text),
        ticks: integer,
        observedAt: integer,
      }),
      { maxLength: 20 },
    ),
  }),
  listMarket: record({
    kind: kind('listMarket'),
    symbol: text,
    baseAsset: text,
    tick: grid,
    lot: grid,
    terms: record(terms),
    status: fc.constantFrom(...marketStatuses),
  }),
  changeMarket: record({
    kind: kind('changeMarket'),
    market,
    terms: fc.record(terms, { requiredKeys: [], noNullPrototype: true }),
    status: optional(fc.constantFrom(...marketStatuses)),
    judged: optional(
      record({
        indexSources: terms.indexSources,
        markClamp: terms.markClamp,
        status: fc.constantFrom(...marketStatuses),
        mayLiquidate: fc.boolean(),
      }),
    ),
  }),
  correctCredit: record({
    kind: kind('correctCredit'),
    address: text,
    credit: text,
    amount: integer,
    reference: text,
  }),
  credit: record({ kind: kind('credit'), address: text, amount: integer, reference: text }),
  flagAccount: record({
    kind: kind('flagAccount'),
    address: text,
    house: optional(fc.boolean()),
    feeTier: optional(integer),
  }),
  login: record({
    kind: kind('login'),
    address: text,
    nonce: text,
    expiresAt: integer,
    client: text,
    agent: text,
  }),
  createApiKey: record({ kind: kind('createApiKey'), account, apiKey: text, profile: text }),
  updateApiKey: fc.oneof(record(keyUpdate), record({ ...keyUpdate, profile: text, before: text })),
  deleteApiKey: record({ kind: kind('deleteApiKey'), account, id: integer, createdAt: integer }),
  setRateTier: record({
    kind: kind('setRateTier'),
    apiKey: text,
    rateTier: fc.constantFrom(...rateTiers),
  }),
};
const command = fc.oneof(...Object.values(commands)) as fc.Arbitrary<Command>;

function encoded(value: Command, deadline = 1_760_000_000_000): Buffer {
  const writer = createByteWriter(16);
  encodeCommand(writer, value, deadline as Time);
  return writtenBytes(writer);
}

const decoded = (bytes: Buffer) => decodeCommand(createByteReader(bytes));

describe('the command codec', () => {
  test.each(Object.keys(commands) as Command['kind'][])('carries every %s as it is', (name) => {
    const values = commands[name] as fc.Arbitrary<Command>;
    fc.assert(
      fc.property(values, integer, (value, deadline) => {
        expect(decoded(encoded(value, deadline))).toStrictEqual({ command: value, deadline });
      }),
    );
  });

  test('reads records one after the other, and skips them', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 20 }), (values) => {
        const writer = createByteWriter(16);
        values.forEach((value, index) => {
          encodeCommand(writer, value, index as Time);
        });
        const reader = createByteReader(writtenBytes(writer));
        values.forEach((value, deadline) => {
          expect(decodeCommand(reader)).toStrictEqual({ command: value, deadline });
        });
        expect(reader.offset).toBe(reader.end);
        const passing = createByteReader(writtenBytes(writer));
        for (const _ of values) skipCommand(passing);
        expect(passing.offset).toBe(passing.end);
      }),
    );
  });

  test('faults on a record that is cut, or holds more than its command', () => {
    fc.assert(
      fc.property(command, fc.nat(), (value, cut) => {
        const bytes = encoded(value);
        const short = bytes.subarray(0, cut % bytes.length);
        expect(() => decoded(short)).toThrow(Fault);
        const long = Buffer.concat([bytes, Buffer.from([0])]);
        long.writeUIntLE(long.length, 0, 3);
        expect(() => decoded(long)).toThrow(Fault);
        // A length that ends inside the command, with other records behind it.
        const inner = Buffer.concat([bytes, bytes]);
        inner.writeUIntLE(cut % bytes.length, 0, 3);
        expect(() => decoded(inner)).toThrow(Fault);
      }),
    );
  });

  test('gives a command or a fault for any bytes, and nothing else', () => {
    fc.assert(
      fc.property(command, fc.nat(), fc.nat(255), (value, place, byte) => {
        const bytes = encoded(value);
        bytes[place % bytes.length] = byte;
        try {
          expect(decoded(bytes).command.kind).toBeTypeOf('string');
        } catch (error) {
          expect(error).toBeInstanceOf(Fault);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('faults on an unknown kind', () => {
    const bytes = encoded({ kind: 'cancelAllOrders', account: 1, market: 2 } as Command);
    for (const code of [0, Object.keys(commands).length + 1, 99, 255]) {
      bytes[3] = code;
      expect(() => decoded(bytes)).toThrow(Fault);
    }
  });

  test('faults on an enumeration outside its list', () => {
    const status = encoded({ kind: 'setRateTier', apiKey: 'k', rateTier: 'house' } as Command);
    for (const code of [rateTiers.length, 254, 255]) {
      status[status.length - 1] = code;
      expect(() => decoded(status)).toThrow(Fault);
    }
    const order = fc.sample(placeOrder, { numRuns: 1, seed: 1 })[0] as Command;
    const flags = encoded(order);
    flags.writeUInt16LE(0xffff, 12 + 6);
    expect(() => decoded(flags)).toThrow(Fault);
    flags.writeUInt16LE(5 << 5, 12 + 6);
    expect(() => decoded(flags)).toThrow(Fault);
    const trigger = encoded(fc.sample(placeTrigger, { numRuns: 1, seed: 1 })[0] as Command);
    for (const unknown of [0xffff, 5 << 5, triggerTypes.length << 11, 1 << 15]) {
      trigger.writeUInt16LE(unknown, 12 + 6);
      expect(() => decoded(trigger)).toThrow(Fault);
    }
  });

  test('gives every kind its own number', () => {
    const samples = fc.sample(fc.tuple(...Object.values(commands)), { numRuns: 1, seed: 3 })[0]!;
    const codes = (samples as Command[]).map((value) => encoded(value)[3]!);
    expect(codes.toSorted((a, b) => a - b)).toEqual(codes.map((_, index) => index + 1));
  });

  test.each([
    ['an account below 0', { kind: 'cancelAllOrders', account: -1, market: 0 }],
    ['a market beyond sixteen bits', { kind: 'cancelAllOrders', account: 0, market: 65_536 }],
    ['an amount that is no integer', { kind: 'credit', address: '', amount: 0.5, reference: '' }],
    ['an unknown status', { kind: 'changeMarket', market: 0, terms: {}, status: 'OPEN' }],
    ['an unknown term', { kind: 'changeMarket', market: 0, terms: { odd: 1 }, status: undefined }],
    ['a term without a value', { kind: 'changeMarket', market: 0, terms: { makerFee: undefined } }],
    ['an unknown margin mode', { kind: 'setMarginMode', account: 0, mode: 'hedged' }],
    ['an unknown action', { kind: 'resolveWithdrawal', id: 1, action: 'burn' }],
    [
      'a transfer of part of a unit',
      { kind: 'transferCollateral', account: 0, market: 0, delta: 0.5 },
    ],
    ['an unknown kind', { kind: 'dance' }],
    ['a kind that every object knows', { kind: 'toString' }],
  ])('refuses %s and writes nothing', (_, value) => {
    const writer = createByteWriter(16);
    expect(() => encodeCommand(writer, value as never, 0 as Time)).toThrow(Fault);
    expect(writer.length).toBe(0);
  });

  test.each([
    ['an unknown route', { route: 'other' }],
    ['an unknown type', { type: 'LIMIT' }],
    ['an unknown time in force', { timeInForce: 'GTD' }],
    ['an unknown working type', { workingType: 'LAST_PRICE' }],
    ['an unknown self-trade mode', { selfTradeMode: 'EXPIRE' }],
    ['no side', { side: 0 }],
    ['a stop price beyond the safe integers', { stopTicks: 2 ** 53 }],
    ['no market', { market: 65_535 }],
  ])('refuses a trigger with %s and writes nothing', (_, wrong) => {
    const trigger = fc.sample(placeTrigger, { numRuns: 1, seed: 5 })[0]!;
    const writer = createByteWriter(16);
    const command = { ...trigger, ...wrong } as never;
    expect(() => encodeCommand(writer, command, 0 as Time)).toThrow(Fault);
    expect(writer.length).toBe(0);
  });

  test.each([
    ['order', placeOrder, 18],
    ['trigger', placeTrigger, 22],
  ] as const)('makes one hidden class of every %s placed', (_, values, size) => {
    const samples = fc.sample<unknown>(values, { numRuns: 2, seed: 7 });
    const [one, other] = samples as [Command, Command];
    const keys = (value: Command): string[] => Object.keys(decoded(encoded(value)).command);
    expect(keys(one)).toEqual(keys(other));
    expect(keys(one)).toHaveLength(size);
  });
});

test('text of any length with any characters is read back unchanged', () => {
  for (const length of [0, 1, 7, 8, 15, 16, 253, 254, 255, 1000, 65_535]) {
    for (const unit of ['a', 'é', '€', '\u{1f600}', '\ud800']) {
      const value = unit.repeat(length).slice(0, length);
      const writer = createByteWriter(8);
      writeText(writer, value);
      const reader = createByteReader(writtenBytes(writer));
      expect(readText(reader)).toBe(value);
      expect(reader.offset).toBe(reader.end);
    }
  }
  expect(() => writeText(createByteWriter(), 'a'.repeat(65_536))).toThrow(Fault);
});
