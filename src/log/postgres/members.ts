// The processes of a deployment as another process sees them: which of them live, and which of them
// may get the lease. It decides and does nothing. It compares no clocks: a process lives as long as
// the reader sees its row change, and the reader measures that with its own stopwatch.

/** How often a process writes its row. */
export const beatEveryMs = 500;
/** A row that stays the same for so long belongs to a process that is gone. */
export const goneAfterMs = 2000;
/** The holder removes the row of a process that has been gone for so long. */
const forgetAfterMs = 60_000;
/**
 * Trading would wait too long for an heir with a larger lag. A row is up to a second old, in which
 * a busy log grows by several hundred batches.
 */
export const heirLagMax = 2000;

/** `waiting`: its state is not at the end of the log yet. */
export const memberRoles = ['holder', 'follower', 'waiting'] as const;
export type MemberRole = (typeof memberRoles)[number];

/** What a process says about itself. */
export type MemberReport = {
  /** This start of the process; no other start has the same. */
  readonly process: string;
  /** Where the other processes reach it; empty: nowhere. */
  readonly address: string;
  readonly release: string;
  /** The hash of the sources of its engine. */
  readonly engineHash: string;
  readonly role: MemberRole;
  /** The last durable batch that it has applied. */
  readonly position: number;
  /**
   * The last batch that is durable in its own archive. It reads the log up to there from the
   * archive and not from the database. undefined: its release does not report it.
   */
  readonly archived?: number | undefined;
};

/** A row of the table. The process counts its beats itself, from 1. */
export type MemberRow = MemberReport & { readonly beat: number };

/** `unsure`: the reader has not looked for long enough. */
export type Life = 'live' | 'gone' | 'unsure';

type Sight = {
  row: MemberRow;
  /** Since when the reader sees this beat. */
  since: number;
  /** Whether the reader has seen an earlier beat. */
  moved: boolean;
};

/** What a reader has seen, by process. */
export type Sights = Map<string, Sight>;

/** Takes what one look has shown at `nowMs` of the reader's stopwatch. */
export function seeMembers(sights: Sights, rows: readonly MemberRow[], nowMs: number): void {
  const there = new Set(rows.map(({ process }) => process));
  for (const process of sights.keys()) if (!there.has(process)) sights.delete(process);
  for (const row of rows) {
    const sight = sights.get(row.process);
    // A late statement may show an older beat; it is no sign of life.
    if (sight !== undefined && row.beat <= sight.row.beat) continue;
    sights.set(row.process, { row, since: nowMs, moved: sight !== undefined });
  }
}

export function lifeOf({ since, moved }: Sight, nowMs: number): Life {
  if (nowMs - since >= goneAfterMs) return 'gone';
  return moved ? 'live' : 'unsure';
}

/** Whether a further look could change what is known about some process. */
export function isUnsure(sights: Sights, nowMs: number): boolean {
  return [...sights.values()].some((sight) => lifeOf(sight, nowMs) === 'unsure');
}

/** Rows of processes that left without removing them. */
export function forgottenMembers(sights: Sights, nowMs: number): MemberRow[] {
  return [...sights.values()]
    .filter(({ since }) => nowMs - since >= forgetAfterMs)
    .map(({ row }) => row);
}

/** The process that gives the lease away, its engine, and the end of its log. */
export type Giver = Pick<MemberReport, 'process' | 'engineHash' | 'position'>;

export type Choice =
  | { readonly kind: 'heir'; readonly heir: MemberRow }
  | { readonly kind: 'refused'; readonly why: string };

const refused = (why: string): Choice => ({ kind: 'refused', why });

/**
 * The process that gets the lease: the one that is named, or else the most advanced one with the
 * holder's engine. An heir with another engine makes that engine the engine of the log for ever:
 * processes with the present one can never get the lease again. So such an heir must be named, and
 * no process with the present engine may live.
 */
export function chooseHeir(
  sights: Sights,
  { process: holder, engineHash, position }: Giver,
  { named, nowMs }: { readonly named: string | undefined; readonly nowMs: number },
): Choice {
  if (named === holder) return refused(`${holder} holds the lease already.`);
  const others = [...sights.values()].filter(({ row }) => row.process !== holder);
  const live = others.filter((sight) => lifeOf(sight, nowMs) === 'live').map(({ row }) => row);
  if (named !== undefined) {
    const found = live.find(({ process }) => process === named);
    const same = others.find(
      (sight) => sight.row.engineHash === engineHash && lifeOf(sight, nowMs) !== 'gone',
    );
    if (found !== undefined && found.engineHash !== engineHash && same !== undefined) {
      return refused(
        `${named} has another engine than the log, and ${same.row.process} has the engine of the ` +
          'log: update that one first.',
      );
    }
    if (found !== undefined) return judge(found, position);
    const known = others.some(({ row }) => row.process === named);
    return refused(known ? `${named} shows no sign of life.` : `No process is called ${named}.`);
  }
  if (live.length === 0) return refused('No other process lives that could take the lease.');
  const [best] = live
    .filter((row) => row.engineHash === engineHash)
    .toSorted((a, b) => Number(isAble(b)) - Number(isAble(a)) || b.position - a.position);
  if (best !== undefined) return judge(best, position);
  return refused(
    `Only processes with another engine live, and their engine would take over for ever. If you ` +
      `want that, name one of them, for example ${live[0]!.process}.`,
  );
}

const isAble = ({ role }: MemberRow): boolean => role === 'follower';

function judge(heir: MemberRow, position: number): Choice {
  if (!isAble(heir)) {
    return refused(`${heir.process} has not reached the end of the log, so trading would wait.`);
  }
  const lag = position - heir.position;
  if (lag <= heirLagMax) return { kind: 'heir', heir };
  return refused(
    `${heir.process} is ${lag} batches behind; a handover needs it within ${heirLagMax}.`,
  );
}
