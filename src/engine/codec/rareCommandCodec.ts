// The fields of the rare commands, and of those whose own size decides the speed: index ticks,
// settings, markets, deposits and withdrawals, logins and keys.

import { assert, must } from '../../std/assert.ts';
import {
  type ByteReader,
  type ByteWriter,
  readByte,
  readFlag,
  readInteger,
  readNumber,
  readText,
  readUint16,
  readUint32,
  writeByte,
  writeFlag,
  writeInteger,
  writeNumber,
  writeText,
  writeUint16,
  writeUint32,
} from '../../std/bytes.ts';
import type { AccountId, MarketId, Money, OrderId, Ticks, Time } from '../../units/units.ts';
import type {
  ChangeMarket,
  CorrectCredit,
  CreateApiKey,
  Credit,
  CreditInsurance,
  DeleteApiKey,
  EndSessions,
  FlagAccount,
  IndexPrice,
  IndexTick,
  ListMarket,
  Login,
  RequestWithdrawal,
  ResolveWithdrawal,
  SetCountdown,
  SetFeeTiers,
  SetLeverage,
  SetMarginMode,
  SetRateTier,
  SettleFunding,
  TransferCollateral,
  UpdateApiKey,
} from '../command.ts';
import { apiKeyStatuses, marginModes, rateTiers } from '../marginModes.ts';
import { type Grid, marketStatuses } from '../marketTerms.ts';
import { readEnumeration, readOptionalEnumeration, writeEnumeration } from './enumeration.ts';
import { decodeFeeTiers, encodeFeeTiers } from './feeTiersCodec.ts';
import {
  decodeMarketTerms,
  decodePartialMarketTerms,
  encodeMarketTerms,
} from './marketTermsCodec.ts';

// The place in this list is the action on the disk: append, never reorder.
const withdrawalActions = [
  'complete',
  'release',
] as const satisfies readonly ResolveWithdrawal['action'][];

const readAccount = (reader: ByteReader): AccountId => readUint32(reader) as AccountId;
const readMarket = (reader: ByteReader): MarketId => readUint16(reader) as MarketId;
const readTime = (reader: ByteReader): Time => readInteger(reader) as Time;

// A value that may be missing is a flag and, when the flag is set, the value.

function writeOptional<T>(
  writer: ByteWriter,
  value: T | undefined,
  write: (writer: ByteWriter, value: T) => void,
): void {
  writeFlag(writer, value !== undefined);
  if (value !== undefined) write(writer, value);
}

function readOptional<T>(reader: ByteReader, read: (reader: ByteReader) => T): T | undefined {
  return readFlag(reader) ? read(reader) : undefined;
}

// indexTick names each source once. Prices of one source may be side by side or far apart, and a
// name is the index of its first use (0: a new name follows).

export function encodeIndexTick(writer: ByteWriter, command: IndexTick): void {
  const names: string[] = [];
  writeUint16(writer, command.prices.length);
  for (const { market, source, ticks, observedAt } of command.prices) {
    const known = names.indexOf(source);
    assert(names.length < 255 || known >= 0, 'an index tick has at most 255 sources');
    writeUint16(writer, market);
    writeByte(writer, known + 1);
    if (known < 0) {
      names.push(source);
      writeText(writer, source);
    }
    writeInteger(writer, ticks);
    writeInteger(writer, observedAt);
  }
}

export function decodeIndexTick(reader: ByteReader): IndexTick {
  const names: string[] = [];
  const prices: IndexPrice[] = [];
  const count = readUint16(reader);
  for (let i = 0; i < count; i += 1) {
    const market = readMarket(reader);
    const name = readByte(reader);
    if (name === 0) names.push(readText(reader));
    const source = name === 0 ? names.at(-1) : names[name - 1];
    assert(source !== undefined, 'an index tick refers to a source it has not named');
    const ticks = readInteger(reader) as Ticks;
    prices.push({ market, source, ticks, observedAt: readTime(reader) });
  }
  return { kind: 'indexTick', prices };
}

// Leverage and milliseconds may be any number: the engine rejects values that it does not allow.

export function encodeSetLeverage(writer: ByteWriter, command: SetLeverage): void {
  writeUint32(writer, command.account);
  writeUint16(writer, command.market);
  writeNumber(writer, command.leverage);
}

export function decodeSetLeverage(reader: ByteReader): SetLeverage {
  const account = readAccount(reader);
  const market = readMarket(reader);
  return { kind: 'setLeverage', account, market, leverage: readNumber(reader) };
}

export function encodeSetCountdown(writer: ByteWriter, command: SetCountdown): void {
  writeUint32(writer, command.account);
  writeUint16(writer, command.market);
  writeNumber(writer, command.milliseconds);
}

export function decodeSetCountdown(reader: ByteReader): SetCountdown {
  const account = readAccount(reader);
  const market = readMarket(reader);
  return { kind: 'setCountdown', account, market, milliseconds: readNumber(reader) };
}

function writeGrid(writer: ByteWriter, grid: Grid): void {
  writeInteger(writer, grid.decimals);
  writeInteger(writer, grid.step);
}

function readGrid(reader: ByteReader): Grid {
  const decimals = readInteger(reader);
  return { decimals, step: readInteger(reader) };
}

export function encodeListMarket(writer: ByteWriter, command: ListMarket): void {
  writeText(writer, command.symbol);
  writeText(writer, command.baseAsset);
  writeGrid(writer, command.tick);
  writeGrid(writer, command.lot);
  encodeMarketTerms(writer, command.terms);
  writeEnumeration(writer, marketStatuses, command.status);
}

export function decodeListMarket(reader: ByteReader): ListMarket {
  const symbol = readText(reader);
  const baseAsset = readText(reader);
  const tick = readGrid(reader);
  const lot = readGrid(reader);
  const terms = decodeMarketTerms(reader);
  const status = readEnumeration(reader, marketStatuses);
  return { kind: 'listMarket', symbol, baseAsset, tick, lot, terms, status };
}

export function encodeChangeMarket(writer: ByteWriter, command: ChangeMarket): void {
  writeUint16(writer, command.market);
  encodeMarketTerms(writer, command.terms);
  writeEnumeration(writer, marketStatuses, command.status);
  writeOptional(writer, command.judged, (_, { indexSources, markClamp, status, mayLiquidate }) => {
    encodeMarketTerms(writer, { indexSources, markClamp });
    writeEnumeration(writer, marketStatuses, status);
    writeFlag(writer, mayLiquidate);
  });
}

export function decodeChangeMarket(reader: ByteReader): ChangeMarket {
  const market = readMarket(reader);
  const terms = decodePartialMarketTerms(reader);
  const status = readOptionalEnumeration(reader, marketStatuses);
  const judged = readOptional(reader, () => {
    const { indexSources, markClamp } = decodePartialMarketTerms(reader);
    const seen = readEnumeration(reader, marketStatuses);
    assert(indexSources !== undefined && markClamp !== undefined, 'a change was judged by both');
    return { indexSources, markClamp, status: seen, mayLiquidate: readFlag(reader) };
  });
  return { kind: 'changeMarket', market, terms, status, judged };
}

export function encodeCredit(writer: ByteWriter, command: Credit): void {
  writeText(writer, command.address);
  writeInteger(writer, command.amount);
  writeText(writer, command.reference);
}

export function decodeCredit(reader: ByteReader): Credit {
  const address = readText(reader);
  const amount = readInteger(reader) as Money;
  return { kind: 'credit', address, amount, reference: readText(reader) };
}

export function encodeCorrectCredit(writer: ByteWriter, command: CorrectCredit): void {
  writeText(writer, command.address);
  writeText(writer, command.credit);
  writeInteger(writer, command.amount);
  writeText(writer, command.reference);
}

export function decodeCorrectCredit(reader: ByteReader): CorrectCredit {
  const address = readText(reader);
  const credit = readText(reader);
  const amount = readInteger(reader) as Money;
  return { kind: 'correctCredit', address, credit, amount, reference: readText(reader) };
}

export function encodeCreditInsurance(writer: ByteWriter, command: CreditInsurance): void {
  writeInteger(writer, command.amount);
  writeText(writer, command.reference);
}

export function decodeCreditInsurance(reader: ByteReader): CreditInsurance {
  const amount = readInteger(reader) as Money;
  return { kind: 'creditInsurance', amount, reference: readText(reader) };
}

export function encodeSettleFunding(writer: ByteWriter, command: SettleFunding): void {
  writeUint16(writer, command.market);
}

export function decodeSettleFunding(reader: ByteReader): SettleFunding {
  return { kind: 'settleFunding', market: readMarket(reader) };
}

export function encodeSetMarginMode(writer: ByteWriter, command: SetMarginMode): void {
  writeUint32(writer, command.account);
  writeEnumeration(writer, marginModes, command.mode);
}

export function decodeSetMarginMode(reader: ByteReader): SetMarginMode {
  const account = readAccount(reader);
  return { kind: 'setMarginMode', account, mode: readEnumeration(reader, marginModes) };
}

export function encodeTransferCollateral(writer: ByteWriter, command: TransferCollateral): void {
  writeUint32(writer, command.account);
  writeUint16(writer, command.market);
  writeInteger(writer, command.delta);
}

export function decodeTransferCollateral(reader: ByteReader): TransferCollateral {
  const account = readAccount(reader);
  const market = readMarket(reader);
  return { kind: 'transferCollateral', account, market, delta: readInteger(reader) as Money };
}

export function encodeRequestWithdrawal(writer: ByteWriter, command: RequestWithdrawal): void {
  writeUint32(writer, command.account);
  writeInteger(writer, command.amount);
  writeText(writer, command.idempotencyKey);
  writeText(writer, command.idempotencyRequest);
}

export function decodeRequestWithdrawal(reader: ByteReader): RequestWithdrawal {
  const account = readAccount(reader);
  const amount = readInteger(reader) as Money;
  const idempotencyKey = readText(reader);
  const idempotencyRequest = readText(reader);
  return { kind: 'requestWithdrawal', account, amount, idempotencyKey, idempotencyRequest };
}

export function encodeResolveWithdrawal(writer: ByteWriter, command: ResolveWithdrawal): void {
  writeInteger(writer, command.id);
  writeEnumeration(writer, withdrawalActions, command.action);
}

export function decodeResolveWithdrawal(reader: ByteReader): ResolveWithdrawal {
  const id = readInteger(reader) as OrderId;
  return { kind: 'resolveWithdrawal', id, action: readEnumeration(reader, withdrawalActions) };
}

export function encodeSetFeeTiers(writer: ByteWriter, command: SetFeeTiers): void {
  encodeFeeTiers(writer, command.tiers);
}

export function decodeSetFeeTiers(reader: ByteReader): SetFeeTiers {
  return { kind: 'setFeeTiers', tiers: decodeFeeTiers(reader) };
}

export function encodeFlagAccount(writer: ByteWriter, command: FlagAccount): void {
  writeText(writer, command.address);
  writeOptional(writer, command.house, writeFlag);
  writeOptional(writer, command.feeTier, writeInteger);
}

export function decodeFlagAccount(reader: ByteReader): FlagAccount {
  const address = readText(reader);
  const house = readOptional(reader, readFlag);
  return { kind: 'flagAccount', address, house, feeTier: readOptional(reader, readInteger) };
}

export function encodeLogin(writer: ByteWriter, command: Login): void {
  writeText(writer, command.address);
  writeText(writer, command.nonce);
  writeInteger(writer, command.expiresAt);
  writeText(writer, command.client ?? '');
  writeText(writer, command.agent ?? '');
}

export function decodeLogin(reader: ByteReader): Login {
  const address = readText(reader);
  const nonce = readText(reader);
  const expiresAt = readTime(reader);
  const client = readText(reader);
  return { kind: 'login', address, nonce, expiresAt, client, agent: readText(reader) };
}

export function encodeEndSessions(writer: ByteWriter, command: EndSessions): void {
  writeUint32(writer, command.account);
  writeInteger(writer, command.session?.id ?? 0);
  writeInteger(writer, command.session?.createdAt ?? 0);
  writeInteger(writer, command.kept);
}

export function decodeEndSessions(reader: ByteReader): EndSessions {
  const account = readAccount(reader);
  const id = readInteger(reader) as OrderId;
  const createdAt = readTime(reader);
  const session = id === 0 ? undefined : { id, createdAt };
  return { kind: 'endSessions', account, session, kept: readInteger(reader) as OrderId };
}

export function encodeCreateApiKey(writer: ByteWriter, command: CreateApiKey): void {
  writeUint32(writer, command.account);
  writeText(writer, command.apiKey);
  writeText(writer, command.profile);
}

export function decodeCreateApiKey(reader: ByteReader): CreateApiKey {
  const account = readAccount(reader);
  const apiKey = readText(reader);
  return { kind: 'createApiKey', account, apiKey, profile: readText(reader) };
}

export function encodeUpdateApiKey(writer: ByteWriter, command: UpdateApiKey): void {
  writeUint32(writer, command.account);
  writeInteger(writer, command.id);
  writeInteger(writer, command.createdAt);
  writeEnumeration(writer, apiKeyStatuses, command.status);
  const { profile, before } = command;
  const given = profile === undefined ? 'none' : before === undefined ? 'any' : 'after';
  writeEnumeration(writer, profilesGiven, given);
  if (profile !== undefined) writeText(writer, profile);
  if (given === 'after') writeText(writer, must(before, 'the profile before'));
}

/** None, one after any profile (as all of earlier releases), or one after a certain profile. */
const profilesGiven = ['none', 'any', 'after'] as const;

export function decodeUpdateApiKey(reader: ByteReader): UpdateApiKey {
  const account = readAccount(reader);
  const id = readInteger(reader) as OrderId;
  const createdAt = readTime(reader);
  const status = readOptionalEnumeration(reader, apiKeyStatuses);
  const given = readEnumeration(reader, profilesGiven);
  const profile = given === 'none' ? undefined : readText(reader);
  const command = { kind: 'updateApiKey', account, id, createdAt, status, profile } as const;
  return given === 'after' ? { ...command, before: readText(reader) } : command;
}

export function encodeDeleteApiKey(writer: ByteWriter, command: DeleteApiKey): void {
  writeUint32(writer, command.account);
  writeInteger(writer, command.id);
  writeInteger(writer, command.createdAt);
}

export function decodeDeleteApiKey(reader: ByteReader): DeleteApiKey {
  const account = readAccount(reader);
  const id = readInteger(reader) as OrderId;
  return { kind: 'deleteApiKey', account, id, createdAt: readTime(reader) };
}

export function encodeSetRateTier(writer: ByteWriter, command: SetRateTier): void {
  writeText(writer, command.apiKey);
  writeEnumeration(writer, rateTiers, command.rateTier);
}

export function decodeSetRateTier(reader: ByteReader): SetRateTier {
  const apiKey = readText(reader);
  return { kind: 'setRateTier', apiKey, rateTier: readEnumeration(reader, rateTiers) };
}
