// `evermark chain pay`: withdrawals are paid by hand, when no chain service runs. `prepare` makes a
// batch of what a log has open, `sign` adds signatures on the machines of the signers, and `send`
// gives it to the vault. Each signer checks against a log of its own.

import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Hex } from 'viem';
import { checkPayments } from '../chain/signers/checkBatch.ts';
import { mergePayFiles, type PayFile, payFileText, readPayFile } from '../chain/signers/payFile.ts';
import type { CheckAsked } from '../chain/signers/signer.ts';
import type { ToSign } from '../chain/vaultTypes.ts';
import { systemClock } from '../std/clock.ts';
import { formatTrimmed } from '../units/decimal.ts';
import { moneyDecimals } from '../units/units.ts';
import { findDataDirectory } from './dataDirectory.ts';
import { type OwnReplica, openOwnReplica } from './openOwnReplica.ts';
import { readTypedSigner } from './readSigner.ts';
import { bytesOfId, isUuid, statesOf } from './statesOf.ts';
import { type Action, type Given, withKey } from './withKey.ts';

export const payOptions = ['data'] as const;

const paymentsMax = 200;
/** A batch that arrives later than this before its deadline may be passed over, in seconds. */
const deadlineMargin = 3600n;

export const chainPay: Action = (given) => {
  const [action, file, ...more] = given.words;
  if (file === undefined) return undefined;
  switch (action) {
    case 'prepare':
      return more.every(isUuid) ? prepare(given, file, more.map(bytesOfId)) : undefined;
    case 'sign':
      return more.length > 0 ? sign(given, file, more) : undefined;
    case 'send':
      return send(given, [file, ...more]);
    default:
      return undefined;
  }
};

async function withReplica<T>(
  { options, io }: Given,
  act: (replica: OwnReplica) => Promise<T>,
): Promise<T> {
  const data = options.data ?? (io.environment.EVERMARK_DATA || './data');
  const replica = await openOwnReplica(findDataDirectory(data), { report: io.complain });
  try {
    return await act(replica);
  } finally {
    replica.close();
  }
}

/** The oldest that are open and can still be paid, or those that are named. */
const prepare = (given: Given, file: string, ids: readonly Hex[]): Promise<unknown> =>
  withReplica(given, async (replica) => {
    const now = BigInt(Math.floor(systemClock.now() / 1000));
    const named = new Set(ids);
    const payments = replica
      .open(Number.POSITIVE_INFINITY)
      .filter(({ id, state }) => state !== 'queued' && (named.size === 0 || named.has(id)))
      .filter(({ deadline }) => deadline > now + deadlineMargin)
      .slice(0, paymentsMax)
      .map(({ id, to, units, deadline }) => ({ id, to, units, deadline }));
    const missing = ids.find((id) => !payments.some((payment) => payment.id === id));
    if (missing !== undefined) throw new Error(`${missing} is not open, or its time is over`);
    await checkPayments(replica, payments);
    const batch = { ...replica.place, payments, signatures: [] };
    writeFileSync(file, payFileText(batch), { flag: 'wx' });
    return { ...shown(batch), log: replica.standing().position };
  });

async function sign(given: Given, file: string, names: readonly string[]): Promise<unknown> {
  const batch = readPayFile(readFileSync(file, 'utf8'));
  const { environment } = given.io;
  const signers = names.map((name) => readTypedSigner(name, batch.chainId, environment));
  // A signer elsewhere has a replica of its own.
  if (signers.every(({ kind }) => kind === 'peer')) {
    return addSignatures({ file, batch, signers, check: async () => {} });
  }
  return withReplica(given, ({ place, ...replica }) => {
    if (place.chainId !== batch.chainId || place.vault !== batch.vault) {
      throw new Error(`the log is bound to ${place.vault} on chain ${place.chainId}`);
    }
    const check: CheckAsked = () => checkPayments(replica, batch.payments);
    return addSignatures({ file, batch, signers, check });
  });
}

type Adding = {
  readonly file: string;
  readonly batch: PayFile;
  readonly signers: readonly ReturnType<typeof readTypedSigner>[];
  readonly check: CheckAsked;
};

/** All of them, or the file stays as it was. */
async function addSignatures({ file, batch, signers, check }: Adding): Promise<unknown> {
  const { chainId, vault, payments } = batch;
  const place = { chainId, vault };
  const [{ createSigners }, { createReadSigner }, { chainRuleOf }] = await Promise.all([
    import('../chain/signers/createSigners.ts'),
    import('../chain/signers/createLocalSigner.ts'),
    import('../chain/finalNumber.ts'),
  ]);
  const rule = chainRuleOf(chainId);
  const read = createReadSigner(place);
  const asked: ToSign = { action: 'pay', payments };
  const made = createSigners({ rule, place, signers, checkOf: () => check });
  const signatures = await Promise.all(
    made.map(async ({ address, sign: ask }) => {
      const signature = (await ask(asked)).toLowerCase() as Hex;
      if ((await read(asked, signature)) === address) return { signer: address, signature };
      throw new Error(`${address} has not signed this batch`);
    }),
  );
  const signed = mergePayFiles([batch, { ...batch, signatures }]);
  writeFileSync(`${file}.new`, payFileText(signed));
  renameSync(`${file}.new`, file);
  return shown(signed);
}

/** Signatures that do not count are left out: one of them makes the contract refuse the batch. */
function send(given: Given, files: readonly string[]): Promise<unknown> | undefined {
  return withKey(given, async (hand) => {
    const batch = mergePayFiles(files.map((file) => readPayFile(readFileSync(file, 'utf8'))));
    const { chainId, vault, payments } = batch;
    if (hand.chainId !== chainId) {
      throw new Error(`the batch is of chain ${chainId}, and the nodes serve ${hand.chainId}`);
    }
    const [{ gatherSignatures }, { createReadSigner }, { readByHand }, { encodeCall }] =
      await Promise.all([
        import('../chain/service/gatherSignatures.ts'),
        import('../chain/signers/createLocalSigner.ts'),
        import('../chain/rpc/readByHand.ts'),
        import('../chain/rpc/encodeCall.ts'),
      ]);
    const set = await readByHand(hand.urls, vault, (node, block) => node.signerSet(block));
    const signers = batch.signatures.map(({ signer: address, signature }) => ({
      ...{ address, sign: async () => signature },
    }));
    const read = createReadSigner({ chainId, vault });
    const asked: ToSign = { action: 'pay', payments };
    const { signatures, failures } = await gatherSignatures(signers, set, asked, read);
    if (signatures === undefined) {
      const why = [`${set.threshold} signers of the vault must sign`, ...failures].join('; ');
      throw new Error(`the signatures are too few: ${why}`);
    }
    const [{ sendByHand }, { readArtifact }] = await Promise.all([
      import('../chain/rpc/sendByHand.ts'),
      import('../chain/artifact.ts'),
    ]);
    const { abi } = readArtifact('EvermarkVault');
    const data = encodeCall({ kind: 'pay', payments, signatures });
    const sent = await sendByHand({ ...hand, to: vault, data, abi });
    const { transaction, block, gasUsed } = sent;
    // The contract passes over what it knows, what is late, and what it does not hold.
    const states = await statesOf(
      hand.urls,
      vault,
      payments.map(({ id }) => uuidOf(id)),
    );
    return { transaction, block, gas_used: gasUsed, states };
  });
}

const uuidOf = (id: Hex): string =>
  id.replace(/^0x(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** What a person compares before signing. */
function shown({ chainId, vault, payments, signatures }: PayFile) {
  const units = payments.reduce((sum, payment) => sum + payment.units, 0n);
  return {
    ...{ chain_id: chainId, vault, usdt: formatTrimmed(units, moneyDecimals) },
    payments: payments.map(({ id, to, units: each }) => ({
      ...{ id: uuidOf(id), to, usdt: formatTrimmed(each, moneyDecimals) },
    })),
    signed_by: signatures.map(({ signer }) => signer),
  };
}
