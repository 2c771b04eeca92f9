// The vault in a snapshot (VLT-1): single figures in the head, then lists of the parked money, of
// the accounts that have had a deposit, and of what the vault has paid to each; and all of it in
// the hash of the state.

import { assert, must } from '../../std/assert.ts';
import {
  type ByteReader,
  type ByteWriter,
  readFlag,
  readInteger,
  readText,
  readUint32,
  writeFlag,
  writeInteger,
  writeText,
  writeUint32,
} from '../../std/bytes.ts';
import { type Hash, hashNumber, hashPair, hashText } from '../../std/hash.ts';
import type { AccountId, Money } from '../../units/units.ts';
import type { Account } from '../account.ts';
import { decodeBinding, encodeBinding } from '../codec/encodeBindVault.ts';
import { hashBytes, readHexText, writeHexText } from '../codec/hexText.ts';
import type { Exchange } from '../exchange.ts';
import { liveAccounts } from '../liveAccounts.ts';
import { insuranceAccount } from '../marginModes.ts';
import type { VaultBinding, VaultLedger } from '../vaultLedger.ts';

/** A total that may be larger than any safe integer. */
export function writeTotal(writer: ByteWriter, total: bigint): void {
  writeText(writer, total.toString());
}

export function readTotal(reader: ByteReader): bigint {
  const text = readText(reader);
  assert(/^-?\d{1,40}$/.test(text), 'a total of the snapshot is no number');
  return BigInt(text);
}

export function encodeVault(writer: ByteWriter, vault: VaultLedger): void {
  writeFlag(writer, vault.binding !== null);
  if (vault.binding !== null) encodeBinding(writer, vault.binding);
  writeInteger(writer, vault.depositCount);
  writeHexText(writer, vault.depositsHash, hashBytes);
  writeTotal(writer, vault.depositTotal);
  writeTotal(writer, vault.unnamed);
  writeInteger(writer, vault.withdrawalMin);
  writeInteger(writer, vault.withdrawalFee);
}

export function decodeVault(reader: ByteReader, vault: VaultLedger): void {
  vault.binding = readFlag(reader) ? decodeBinding(reader) : null;
  vault.depositCount = readInteger(reader);
  vault.depositsHash = readHexText(reader, hashBytes);
  vault.depositTotal = readTotal(reader);
  vault.unnamed = readTotal(reader);
  vault.withdrawalMin = readInteger(reader) as Money;
  vault.withdrawalFee = readInteger(reader) as Money;
}

type Parked = readonly [address: string, amount: bigint];

export function encodeParked(writer: ByteWriter, [address, amount]: Parked): void {
  writeText(writer, address);
  writeTotal(writer, amount);
}

export function decodeParked(reader: ByteReader): Parked {
  const address = readText(reader);
  return [address, readTotal(reader)];
}

export function addParked({ vault }: Exchange, [address, amount]: Parked): void {
  assert(!vault.parked.has(address), 'a wallet has one sum of parked money');
  vault.parked.set(address, amount);
}

/** Those that no credit names: without a vault there are none. */
export function fundedByVault(exchange: Exchange): Account[] {
  if (exchange.vault.binding === null) return [];
  return liveAccounts(exchange).filter(({ id, funded }) => funded && id !== insuranceAccount);
}

export function encodeFunded(writer: ByteWriter, { id }: Pick<Account, 'id'>): void {
  writeUint32(writer, id);
}

export function addFunded({ accounts }: Exchange, reader: ByteReader): void {
  const account = accounts[readUint32(reader) as AccountId];
  must(account, 'a deposit has an account').funded = true;
}

type Paid = readonly [account: AccountId, amount: bigint];

export function encodePaid(writer: ByteWriter, [account, amount]: Paid): void {
  writeUint32(writer, account);
  writeTotal(writer, amount);
}

export function decodePaid(reader: ByteReader): Paid {
  const account = readUint32(reader) as AccountId;
  return [account, readTotal(reader)];
}

export function addPaid({ vault }: Exchange, [account, amount]: Paid): void {
  assert(!vault.paid.has(account), 'the vault has paid one sum to an account');
  vault.paid.set(account, amount);
}

/** The order of the parked money is state: it decides what is tried first. */
export function hashVault(hash: Hash, vault: VaultLedger): void {
  const { binding, parked } = vault;
  hashPair(hash, binding === null ? 0 : 1, parked.size);
  if (binding !== null) hashBinding(hash, binding);
  hashNumber(hash, vault.depositCount);
  hashText(hash, vault.depositsHash);
  hashText(hash, `${vault.depositTotal} ${vault.unnamed}`);
  hashNumber(hash, vault.withdrawalMin);
  hashNumber(hash, vault.withdrawalFee);
  for (const [address, amount] of parked) hashText(hash, `${address} ${amount}`);
  // Without payments the hash is that of format 8.
  for (const [account, amount] of vault.paid) hashText(hash, `paid ${account} ${amount}`);
}

export function hashBinding(hash: Hash, binding: VaultBinding): void {
  hashText(hash, binding.address);
  hashText(hash, binding.token);
  hashNumber(hash, binding.tokenDecimals);
  hashText(hash, binding.codeHash);
  hashNumber(hash, binding.deployBlock);
}
