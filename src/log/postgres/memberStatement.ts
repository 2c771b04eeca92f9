// The statements about the processes of a deployment, and about the wish of the operator that the
// lease changes its holder. Each is one statement that may come late or twice: a row changes only
// to a later beat, and a removal names the beat that it removes.

import type { Row } from './createLane.ts';
import type { MemberReport, MemberRow } from './members.ts';
import type { Statement } from './statement.ts';

/** What the operator wants, and the holder's answer; it is void under any other holder. */
export type Wish = {
  readonly holder: string;
  /** The process that shall get the lease. */
  readonly heir: string;
  /** Why the holder refuses; undefined: it has not answered. */
  readonly answer: string | undefined;
};

/** Writes the row of a process, unless a later beat is there. */
export function beatStatement(report: MemberReport, beat: number): Statement {
  const { process, address, release, engineHash, role, position, archived } = report;
  return {
    name: 'beat',
    text:
      'insert into evermark.member ' +
      '(process, address, release, engine_hash, role, position, beat, archived, seen) ' +
      'values ($1, $2, $3, $4, $5, $6, $7, $8, clock_timestamp()) on conflict (process) ' +
      'do update set role = excluded.role, position = excluded.position, beat = excluded.beat, ' +
      'archived = excluded.archived, seen = excluded.seen where member.beat < excluded.beat',
    values: [process, address, release, engineHash, role, position, beat, archived ?? 0],
  };
}

/** Shows all processes, and the wish beside each of them. */
export const membersStatement: Statement = {
  name: 'members',
  text:
    'select process, address, release, engine_hash, role, position, beat, archived, ' +
    'holder as wish_holder, heir as wish_heir, answer as wish_answer ' +
    'from evermark.member left join evermark.wish on true order by process',
  values: [],
};

/** Removes the row with this beat; without it, whatever its beat is. */
export function removeMemberStatement(process: string, beat?: number): Statement {
  return {
    name: 'remove member',
    text:
      'delete from evermark.member ' +
      'where process = $1 and ($2::bigint is null or beat = $2::bigint)',
    values: [process, beat ?? null],
  };
}

export function wishStatement({ holder, heir }: Omit<Wish, 'answer'>): Statement {
  return {
    name: 'wish',
    text:
      'insert into evermark.wish (holder, heir) values ($1, $2) on conflict (one) do update ' +
      'set holder = excluded.holder, heir = excluded.heir, answer = null',
    values: [holder, heir],
  };
}

/** The holder's refusal. */
export function answerStatement({ holder, heir }: Omit<Wish, 'answer'>, answer: string): Statement {
  return {
    name: 'answer wish',
    text: 'update evermark.wish set answer = $3 where holder = $1 and heir = $2',
    values: [holder, heir, answer],
  };
}

export function removeWishStatement({ holder, heir }: Omit<Wish, 'answer'>): Statement {
  return {
    name: 'remove wish',
    text: 'delete from evermark.wish where holder = $1 and heir = $2',
    values: [holder, heir],
  };
}

export function readMembers(rows: readonly Row[]): {
  readonly members: readonly MemberRow[];
  readonly wish: Wish | undefined;
} {
  const members = rows.map(
    ({ process, address, release, engine_hash: engineHash, role, position, beat, archived }) => {
      const report = { process, address, release, engineHash, role, position };
      return { ...report, beat, archived: archived ?? undefined } as MemberRow;
    },
  );
  const { wish_holder: holder, wish_heir: heir, wish_answer: answer } = rows[0] ?? {};
  if (typeof holder !== 'string' || typeof heir !== 'string') return { members, wish: undefined };
  return {
    members,
    wish: { holder, heir, answer: typeof answer === 'string' ? answer : undefined },
  };
}
