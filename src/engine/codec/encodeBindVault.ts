// The commands about a vault as bytes (VLT-1 … VLT-5), and the binding of one, which a snapshot has
// too.

import {
  type ByteReader,
  type ByteWriter,
  readByte,
  readInteger,
  writeByte,
  writeInteger,
} from '../../std/bytes.ts';
import type { Money, OrderId, Time } from '../../units/units.ts';
import {
  type BindVault,
  type CreditDeposit,
  type ReportWithdrawal,
  type SetWithdrawalTerms,
  withdrawalFacts,
} from '../vaultCommand.ts';
import type { VaultBinding } from '../vaultLedger.ts';
import { readEnumeration, writeEnumeration } from './enumeration.ts';
import { addressBytes, hashBytes, readHexText, writeHexText } from './hexText.ts';

export function encodeBinding(writer: ByteWriter, binding: VaultBinding): void {
  writeHexText(writer, binding.address, addressBytes);
  writeHexText(writer, binding.token, addressBytes);
  writeByte(writer, binding.tokenDecimals);
  writeHexText(writer, binding.codeHash, hashBytes);
  writeInteger(writer, binding.deployBlock);
}

export function decodeBinding(reader: ByteReader): VaultBinding {
  const address = readHexText(reader, addressBytes);
  const token = readHexText(reader, addressBytes);
  const tokenDecimals = readByte(reader);
  const codeHash = readHexText(reader, hashBytes);
  return { address, token, tokenDecimals, codeHash, deployBlock: readInteger(reader) };
}

export function encodeBindVault(writer: ByteWriter, command: BindVault): void {
  writeInteger(writer, command.chainId);
  encodeBinding(writer, command);
}

export function decodeBindVault(reader: ByteReader): BindVault {
  const chainId = readInteger(reader);
  return { kind: 'bindVault', chainId, ...decodeBinding(reader) };
}

export function encodeCreditDeposit(writer: ByteWriter, command: CreditDeposit): void {
  writeInteger(writer, command.index);
  writeHexText(writer, command.address, addressBytes);
  writeInteger(writer, command.units);
  writeHexText(writer, command.hash, hashBytes);
}

export function decodeCreditDeposit(reader: ByteReader): CreditDeposit {
  const index = readInteger(reader);
  const address = readHexText(reader, addressBytes);
  const units = readInteger(reader) as Money;
  return { kind: 'creditDeposit', index, address, units, hash: readHexText(reader, hashBytes) };
}

export function encodeReportWithdrawal(writer: ByteWriter, command: ReportWithdrawal): void {
  writeInteger(writer, command.id);
  writeInteger(writer, command.createdAt);
  writeEnumeration(writer, withdrawalFacts, command.fact);
  writeInteger(writer, command.blockTime);
}

export function decodeReportWithdrawal(reader: ByteReader): ReportWithdrawal {
  const id = readInteger(reader) as OrderId;
  const createdAt = readInteger(reader) as Time;
  const fact = readEnumeration(reader, withdrawalFacts);
  return { kind: 'reportWithdrawal', id, createdAt, fact, blockTime: readInteger(reader) };
}

export function encodeSetWithdrawalTerms(writer: ByteWriter, command: SetWithdrawalTerms): void {
  writeInteger(writer, command.min);
  writeInteger(writer, command.fee);
}

export function decodeSetWithdrawalTerms(reader: ByteReader): SetWithdrawalTerms {
  const min = readInteger(reader) as Money;
  return { kind: 'setWithdrawalTerms', min, fee: readInteger(reader) as Money };
}
