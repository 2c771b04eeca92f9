// GET /api/v1/proof/{address} (VLT-8): what a wallet is owed, with the way to the root that the
// vault's anchor names. The tree is public, so no login is asked for.

import { Type } from 'typebox';
import { anchorRecord, anchorSchema } from '../anchorRecord.ts';
import {
  countNumber,
  exactObject,
  orNull,
  plainText,
  walletText,
  wholeText,
} from '../answerSchema.ts';
import { defineProcedure } from '../operation.ts';
import { textParameter } from '../parameterSchema.ts';
import * as routes from './nativeRoutes.ts';

const unitsText = (description: string) =>
  wholeText(`${description}; units of 0.000001 USDT, as they are hashed.`);

export const getProof = defineProcedure({
  ...routes.getProof,
  name: 'getProof',
  surface: 'native',
  weight: 5,
  summary: 'What a wallet is owed by the newest tree, with its proof.',
  parameters: Type.Object({ address: textParameter({ lengthMax: 42 }) }),
  failures: ['noData'],
  response: exactObject({
    tree: exactObject({
      chain_id: countNumber(),
      vault: walletText('The contract.'),
      hash: plainText('SHA-256 of the published file.'),
      root: plainText('Of the tree.'),
      sum: unitsText('What all wallets are owed'),
      leaves: countNumber('Wallets in the tree.'),
      deposit_count: countNumber('Deposits of the vault that it counts.'),
      withdrawn: unitsText('What the vault had paid'),
      deficit: unitsText('Equities below zero, which count as 0'),
      log_position: countNumber('The batch of the log at which it was made.'),
      log_hash: plainText('The hash of that batch and all before it: the salt of each leaf.'),
      time: countNumber('Of the batch, milliseconds.'),
    }),
    proof: orNull(
      exactObject({
        account: walletText(),
        units: unitsText('What the wallet is owed'),
        withdrawn: unitsText('What the vault had paid to it'),
        siblings: Type.Array(
          exactObject({
            hash: plainText('32 bytes.'),
            sum: unitsText('Of the leaves below it'),
            on_left: Type.Boolean(),
          }),
          { description: 'The nodes beside the way from the leaf to the root.' },
        ),
      }),
      'null: the tree has no leaf of this wallet, to which nothing is owed.',
    ),
    anchor: orNull(anchorSchema, 'null: without an anchor, and where this process knows of none.'),
    is_anchored: Type.Boolean({ description: 'Whether the anchor names this tree.' }),
  }),
  procedure: async ({ deployment }, { address: text }) => {
    const { login, archivist, chain } = deployment;
    const address = login.parseAddress(text);
    if (address === undefined) return { reason: 'parameterMalformed', name: 'address' };
    const found = await archivist.proveWallet(address);
    if (found === 'none') return { reason: 'noData' };
    if ('reason' in found) return found;
    const anchor = anchorRecord(chain());
    const isAnchored = anchor?.tree_hash === `0x${found.fileHash}`;
    const ends = `"anchor":${JSON.stringify(anchor)},"is_anchored":${isAnchored}`;
    return { status: 200, text: `{"tree":${found.tree},"proof":${found.proof},${ends}}` };
  },
});
