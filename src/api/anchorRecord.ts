// The vault's last anchor as clients see it (VLT-8).

import { Type } from 'typebox';
import { countNumber, exactObject, orNull, plainText } from './answerSchema.ts';
import type { ChainStanding } from './deployment.ts';

export const anchorSchema = exactObject({
  epoch: countNumber('Its number; the vault counts them.'),
  log_position: countNumber('The batch of the log whose tree it names.'),
  accepted_at: countNumber('When the vault has accepted it, seconds.'),
  tree_hash: plainText('SHA-256 of the published tree.'),
  is_of_log: orNull(
    Type.Boolean({ description: 'false: the log contradicts it.' }),
    'null: it lies before what this process knows.',
  ),
  exit_after: countNumber(
    'Without a later anchor anyone may open the exit after this time, seconds.',
  ),
});

/** null while there is none, or none was read. */
export function anchorRecord(standing: ChainStanding | undefined) {
  const anchor = standing?.anchor;
  if (anchor == null || anchor.epoch === 0) return null;
  const { epoch, position, acceptedAt, silence, treeHash, isOfLog } = anchor;
  return {
    epoch,
    log_position: position,
    accepted_at: acceptedAt,
    tree_hash: treeHash,
    is_of_log: isOfLog,
    exit_after: acceptedAt + silence,
  };
}
