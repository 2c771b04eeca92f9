// How a vault begins, as an operator writes it into a file: the arguments of the contract's
// constructor. The contract checks how they fit together; here each one is read.

import type { Hex } from 'viem';
import { checkSpelling } from '../std/checksumAddress.ts';
import { parseScaled } from '../units/decimal.ts';
import { moneyDecimals } from '../units/units.ts';

/** Amounts are units of 1e-6, times are seconds. */
export type VaultSetup = {
  /** `test`: a token of play money is deployed with the vault. */
  readonly token: Hex | 'test';
  readonly admin: Hex;
  readonly adminDelay: bigint;
  /** In ascending order. */
  readonly signers: readonly Hex[];
  readonly threshold: bigint;
  readonly guardians: readonly Hex[];
  readonly keeper: Hex;
  readonly minimumDeposit: bigint;
  readonly bucketCapacity: bigint;
  readonly instantMax: bigint;
  readonly queueDelay: bigint;
  readonly exitSilence: bigint;
};

/** Throws an error that names the member which is wrong. */
export function readVaultSetup(text: string): VaultSetup {
  const members = membersOf(text);
  const setup = {
    token: members.token === 'test' ? ('test' as const) : address(members, 'token'),
    admin: address(members, 'admin'),
    adminDelay: whole(members, 'admin_delay'),
    signers: addresses(members, 'signers').sort(),
    threshold: whole(members, 'threshold'),
    guardians: addresses(members, 'guardians'),
    keeper: address(members, 'keeper'),
    minimumDeposit: amount(members, 'minimum_deposit'),
    bucketCapacity: amount(members, 'bucket_capacity'),
    instantMax: amount(members, 'instant_max'),
    queueDelay: whole(members, 'queue_delay'),
    exitSilence: whole(members, 'exit_silence'),
  };
  const { signers, threshold, guardians } = setup;
  // The contract says only that its set is invalid.
  const count = BigInt(signers.length);
  if (new Set(signers).size < signers.length) wrong('signers', 'an address is there twice');
  if (threshold > count || 2n * threshold <= count) {
    wrong(
      'threshold',
      `more than half of the ${count} signers must sign, and not more than there are`,
    );
  }
  if (guardians.length === 0) wrong('guardians', 'at least one must be able to pause payments');
  return setup;
}

const names = [
  ...['token', 'admin', 'admin_delay', 'signers', 'threshold', 'guardians', 'keeper'],
  ...['minimum_deposit', 'bucket_capacity', 'instant_max', 'queue_delay', 'exit_silence'],
];

type Members = Readonly<Record<string, unknown>>;

function membersOf(text: string): Members {
  let members: unknown;
  try {
    members = JSON.parse(text);
  } catch (error) {
    throw new Error(`The file of the vault is no JSON: ${(error as Error).message}`);
  }
  if (typeof members !== 'object' || members === null || Array.isArray(members)) {
    throw new Error('The file of the vault must hold one object.');
  }
  const unknown = Object.keys(members).find((name) => !names.includes(name));
  if (unknown !== undefined)
    wrong(unknown, `there is no such member; there are ${names.join(', ')}`);
  return members as Members;
}

function wrong(name: string, reason: string): never {
  throw new Error(`In the file of the vault, "${name}": ${reason}.`);
}

function toAddress(name: string, value: unknown): Hex {
  const isAddress = typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value);
  if (!isAddress) wrong(name, '0x and 40 hex digits are needed');
  try {
    checkSpelling(value);
  } catch (error) {
    wrong(name, (error as Error).message);
  }
  const found = value.toLowerCase() as Hex;
  if (BigInt(found) === 0n) wrong(name, 'the address zero belongs to no key');
  return found;
}

const address = (members: Members, name: string): Hex => toAddress(name, members[name]);

function addresses(members: Members, name: string): Hex[] {
  const list = members[name];
  if (!Array.isArray(list)) wrong(name, 'a list of addresses is needed');
  return list.map((each) => toAddress(name, each));
}

function whole(members: Members, name: string): bigint {
  const value = members[name];
  if (!Number.isSafeInteger(value) || (value as number) < 0)
    wrong(name, 'a whole number is needed');
  return BigInt(value as number);
}

/** USDT as text, as everywhere. */
function amount(members: Members, name: string): bigint {
  const text = members[name];
  const read = typeof text === 'string' ? parseScaled(text, moneyDecimals) : undefined;
  if (read?.kind !== 'exact' || read.value < 0) {
    wrong(name, 'an amount of USDT as text is needed, with at most 6 decimals');
  }
  return BigInt(read.value);
}
