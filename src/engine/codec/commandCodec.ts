// The bytes of one command in the log. The gateway encodes it once; every replica decodes it. This
// file has the frame of a record and the codec of each kind. orderCommandCodec.ts and
// triggerCommandCodec.ts (the frequent commands), rareCommandCodec.ts, encodeArmConnection.ts,
// encodeBindVault.ts, referralCode.ts and referralTerms.ts have the fields.
//
//   0 length u24 (of the whole record) · 3 kind u8 · 4 deadline f64 · 12 the fields of the kind

import { assert, Fault } from '../../std/assert.ts';
import { type ByteReader, type ByteWriter, reserveBytes, takeBytes } from '../../std/bytes.ts';
import type { AccountId, Time } from '../../units/units.ts';
import type { CancelOrder, Command, PlaceOrder } from '../command.ts';
import * as connection from './encodeArmConnection.ts';
import * as vault from './encodeBindVault.ts';
import * as legs from './encodeLegs.ts';
import * as order from './orderCommandCodec.ts';
import * as rare from './rareCommandCodec.ts';
import * as referralCode from './referralCode.ts';
import * as referralTerms from './referralTerms.ts';
import * as trigger from './triggerCommandCodec.ts';

// The place in this list is the kind on the disk: append, never reorder. Zero is no kind.
const kinds = [
  'none',
  'placeOrder',
  'cancelOrder',
  'modifyOrder',
  'batch',
  'cancelAllOrders',
  'indexTick',
  'setLeverage',
  'setCountdown',
  'listMarket',
  'changeMarket',
  'credit',
  'flagAccount',
  'login',
  'createApiKey',
  'updateApiKey',
  'deleteApiKey',
  'setRateTier',
  'placeTrigger',
  'cancelTrigger',
  'cancelAllTriggers',
  'creditInsurance',
  'settleFunding',
  'setMarginMode',
  'transferCollateral',
  'requestWithdrawal',
  'resolveWithdrawal',
  'setFeeTiers',
  'correctCredit',
  'setReferralCode',
  'bindReferral',
  'claimReferral',
  'setReferralTerms',
  'modifyTrigger',
  'setProtection',
  'endSessions',
  'armConnection',
  'disarmConnection',
  'endConnections',
  'bindVault',
  'creditDeposit',
  'reportWithdrawal',
  'setWithdrawalTerms',
] as const satisfies readonly (Command['kind'] | 'none')[];

type Codec<C> = readonly [
  encode: (writer: ByteWriter, command: C) => void,
  decode: (reader: ByteReader) => C,
];

const codecs: { readonly [K in Command['kind']]: Codec<Extract<Command, { readonly kind: K }>> } = {
  placeOrder: [order.encodePlaceOrder, order.decodePlaceOrder],
  cancelOrder: [order.encodeCancelOrder, order.decodeCancelOrder],
  modifyOrder: [order.encodeModifyOrder, order.decodeModifyOrder],
  batch: [order.encodeBatch, order.decodeBatch],
  cancelAllOrders: [order.encodeCancelAllOrders, order.decodeCancelAllOrders],
  placeTrigger: [trigger.encodePlaceTrigger, trigger.decodePlaceTrigger],
  cancelTrigger: [trigger.encodeCancelTrigger, trigger.decodeCancelTrigger],
  cancelAllTriggers: [trigger.encodeCancelAllTriggers, trigger.decodeCancelAllTriggers],
  modifyTrigger: [trigger.encodeModifyTrigger, trigger.decodeModifyTrigger],
  indexTick: [rare.encodeIndexTick, rare.decodeIndexTick],
  setProtection: [legs.encodeSetProtection, legs.decodeSetProtection],
  setLeverage: [rare.encodeSetLeverage, rare.decodeSetLeverage],
  setCountdown: [rare.encodeSetCountdown, rare.decodeSetCountdown],
  listMarket: [rare.encodeListMarket, rare.decodeListMarket],
  changeMarket: [rare.encodeChangeMarket, rare.decodeChangeMarket],
  credit: [rare.encodeCredit, rare.decodeCredit],
  correctCredit: [rare.encodeCorrectCredit, rare.decodeCorrectCredit],
  creditInsurance: [rare.encodeCreditInsurance, rare.decodeCreditInsurance],
  settleFunding: [rare.encodeSettleFunding, rare.decodeSettleFunding],
  setMarginMode: [rare.encodeSetMarginMode, rare.decodeSetMarginMode],
  transferCollateral: [rare.encodeTransferCollateral, rare.decodeTransferCollateral],
  requestWithdrawal: [rare.encodeRequestWithdrawal, rare.decodeRequestWithdrawal],
  resolveWithdrawal: [rare.encodeResolveWithdrawal, rare.decodeResolveWithdrawal],
  setFeeTiers: [rare.encodeSetFeeTiers, rare.decodeSetFeeTiers],
  setReferralCode: [referralCode.encodeReferralCode, referralCode.decodeSetReferralCode],
  bindReferral: [referralCode.encodeReferralCode, referralCode.decodeBindReferral],
  claimReferral: [referralCode.encodeClaimReferral, referralCode.decodeClaimReferral],
  setReferralTerms: [referralTerms.encodeSetReferralTerms, referralTerms.decodeSetReferralTerms],
  flagAccount: [rare.encodeFlagAccount, rare.decodeFlagAccount],
  login: [rare.encodeLogin, rare.decodeLogin],
  endSessions: [rare.encodeEndSessions, rare.decodeEndSessions],
  armConnection: [connection.encodeArmConnection, connection.decodeArmConnection],
  disarmConnection: [connection.encodeDisarmConnection, connection.decodeDisarmConnection],
  endConnections: [connection.encodeEndConnections, connection.decodeEndConnections],
  bindVault: [vault.encodeBindVault, vault.decodeBindVault],
  creditDeposit: [vault.encodeCreditDeposit, vault.decodeCreditDeposit],
  reportWithdrawal: [vault.encodeReportWithdrawal, vault.decodeReportWithdrawal],
  setWithdrawalTerms: [vault.encodeSetWithdrawalTerms, vault.decodeSetWithdrawalTerms],
  createApiKey: [rare.encodeCreateApiKey, rare.decodeCreateApiKey],
  updateApiKey: [rare.encodeUpdateApiKey, rare.decodeUpdateApiKey],
  deleteApiKey: [rare.encodeDeleteApiKey, rare.decodeDeleteApiKey],
  setRateTier: [rare.encodeSetRateTier, rare.decodeSetRateTier],
};

const headBytes = 12;
const recordBytesMax = 0xffffff;
const placeOrderCode = 1;

/** A command and the time after which it must be rejected. */
export type TimedCommand = { readonly deadline: Time; readonly command: Command };

/** Appends one record. Faults on a value that its field cannot hold; then nothing is appended. */
export function encodeCommand(writer: ByteWriter, command: Command, deadline: Time): void {
  assert(Number.isSafeInteger(deadline), 'a deadline is a safe integer');
  const start = reserveBytes(writer, headBytes);
  try {
    encodeFields(writer, command);
    const length = writer.length - start;
    assert(length <= recordBytesMax, 'a command is too long for its record');
    writer.view.setUint32(start, (length | (kinds.indexOf(command.kind) << 24)) >>> 0, true);
    writer.view.setFloat64(start + 4, deadline, true);
  } catch (error) {
    writer.length = start;
    throw error;
  }
}

/** Takes one record. Faults unless it is exactly one command of a known kind. */
export function decodeCommand(reader: ByteReader): TimedCommand {
  const start = takeBytes(reader, headBytes);
  const head = reader.view.getUint32(start, true);
  const deadline = reader.view.getFloat64(start + 4, true);
  assert(Number.isSafeInteger(deadline), 'a deadline is not a safe integer');
  const batchEnd = reader.end;
  const end = start + (head & recordBytesMax);
  assert(end >= reader.offset && end <= batchEnd, 'the length of a record is wrong');
  // The reader ends at the end of the record, so no field can read from the next one.
  reader.end = end;
  const command = decodeFields(reader, head >>> 24);
  assert(reader.offset === end, 'a record holds more than its command');
  reader.end = batchEnd;
  return { deadline: deadline as Time, command };
}

/** Commands whose fields begin with their account, and nothing else in them names it. */
export type AccountCommand = PlaceOrder | CancelOrder;

export function isAccountCommand(command: Command): command is AccountCommand {
  return command.kind === 'placeOrder' || command.kind === 'cancelOrder';
}

/** Takes one record of such a command, which becomes this account's. It writes into the bytes. */
export function decodeAccountCommand(reader: ByteReader, account: AccountId): AccountCommand {
  const at = reader.offset + headBytes;
  assert(at + 4 <= reader.end, 'a record has an account');
  reader.view.setUint32(at, account, true);
  const { command } = decodeCommand(reader);
  assert(isAccountCommand(command), 'it is a command of one account');
  return command;
}

/** Skips one record without reading its fields. */
export function skipCommand(reader: ByteReader): void {
  const start = takeBytes(reader, headBytes);
  const end = start + (reader.view.getUint32(start, true) & recordBytesMax);
  assert(end >= reader.offset && end <= reader.end, 'the length of a record is wrong');
  reader.offset = end;
}

function encodeFields(writer: ByteWriter, command: Command): void {
  if (!Object.hasOwn(codecs, command.kind)) throw new Fault(`there is no command ${command.kind}`);
  const [encode] = codecs[command.kind] as Codec<Command>;
  encode(writer, command);
}

function decodeFields(reader: ByteReader, code: number): Command {
  // By far the most frequent one needs no look-up.
  if (code === placeOrderCode) return order.decodePlaceOrder(reader);
  const kind = kinds[code];
  if (kind === undefined || kind === 'none') throw new Fault(`no command has the kind ${code}`);
  const [, decode] = codecs[kind];
  return decode(reader);
}
