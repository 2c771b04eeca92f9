// POST /operator/vault (VLT-1): binds the log to a vault, for ever and before any money came. The
// caller has read token, decimals and code from the chain (`evermark chain bind`).

import { Type } from 'typebox';
import { commandRejections } from '../errors/commandRejections.ts';
import { answerJson, defineCommand } from '../operation.ts';
import { integerParameter, textParameter } from '../parameterSchema.ts';
import { vaultRecord, vaultSchema } from '../vaultRecord.ts';

const hex = (bytes: number): RegExp => new RegExp(`^0x[0-9a-fA-F]{${2 * bytes}}$`);

export const bindVault = defineCommand({
  name: 'bindVault',
  surface: 'operator',
  method: 'POST',
  path: '/operator/vault',
  auth: 'operator',
  weight: 1,
  summary: 'Binds the deployment to the vault that holds its money, for ever.',
  parameters: Type.Object({
    chain_id: integerParameter({ min: 1 }),
    address: textParameter({ lengthMax: 42 }),
    token: textParameter({ lengthMax: 42 }),
    token_decimals: integerParameter({ min: 0, max: 255 }),
    code_hash: textParameter({ lengthMax: 66 }),
    deploy_block: integerParameter({ min: 0 }),
  }),
  failures: commandRejections.bindVault,
  response: vaultSchema,
  command: ({ deployment: { exchange, vault } }, sent) => {
    for (const [name, bytes] of [
      ['address', 20],
      ['token', 20],
      ['code_hash', 32],
    ] as const) {
      if (!hex(bytes).test(sent[name])) return { reason: 'parameterMalformed', name };
    }
    const address = sent.address.toLowerCase();
    // The binding is for ever, and this process could not serve it.
    if (vault !== '' && vault !== address) {
      const detail = `the exchange runs with --vault ${vault}`;
      return { reason: 'termsInvalid', field: 'address', detail };
    }
    return {
      command: {
        kind: 'bindVault',
        chainId: sent.chain_id,
        address,
        token: sent.token.toLowerCase(),
        tokenDecimals: sent.token_decimals,
        codeHash: sent.code_hash.toLowerCase(),
        deployBlock: sent.deploy_block,
      },
      lane: 'reserve',
      answer: (outcome) =>
        outcome.kind === 'rejected' ? outcome.rejection : answerJson(vaultRecord(exchange)),
    };
  },
});
