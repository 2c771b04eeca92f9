// Under which condition a statement changes what the processes of a deployment share. The condition
// is the first part of the statement, named `held`: one row if it holds, else none. It locks the
// row that it looks at, so that the condition still holds when the statement commits, and so that
// the commit waits for the standby even if the statement has changed nothing.

import { guarded, heldClause, type Writer, writerValues } from './statement.ts';

export type Fence = {
  /** What distinguishes its statements from those of other fences. */
  readonly name: string;
  readonly clause: string;
  /** Of the first three parameters. */
  readonly values: readonly unknown[];
  /** Why nothing was changed, when the condition did not hold. */
  readonly refusal: string;
};

/** The writer has the lease. */
export function leaseFence(writer: Writer): Fence {
  return {
    name: '',
    clause: heldClause,
    values: writerValues(writer),
    refusal: 'another process has the lease, or no standby holds what is committed',
  };
}

/** A process of this deployment, with the lease or without. */
export type Member = {
  readonly deployment: string;
  readonly replicatedStorage: boolean;
  /** Of the master key that seals its rows; undefined: there may be no master key yet. */
  readonly masterVersion: number | undefined;
};

// A move changes the state of this row, so it waits for the writes that run and refuses those that
// come later.
const memberClause =
  'with held as materialized (select deployment from evermark.deployment ' +
  `where deployment = $1 and state = 'open' and ${guarded} and ($2::integer is null or exists ` +
  '(select from evermark.master_key where version = $2)) for share) ';

/** The log of the deployment is here and open, and sealed rows are of the present master key. */
export function memberFence({ deployment, replicatedStorage, masterVersion }: Member): Fence {
  return {
    name: ' by a member',
    clause: memberClause,
    values: [deployment, masterVersion ?? null, replicatedStorage],
    refusal:
      'the database is not open for this deployment and its master key, or no standby holds what ' +
      'is committed',
  };
}
