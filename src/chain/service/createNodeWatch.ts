// For how long a node has not answered, been behind, or said something else than the others, and
// the alarm that follows. One lost request is none. It asks no node.

import type { Alarm, AlarmName, NodeFigures } from './alarm.ts';
import type { NodeProblem, NodeSighting } from './createNodeBook.ts';

export type NodeWatch = {
  /** What a round has seen, in the order of the nodes; gives how they stand now. */
  readonly take: (sightings: readonly NodeSighting[]) => NodeStandings;
};

export type NodeStandings = {
  readonly nodes: readonly NodeFigures[];
  readonly alarms: readonly Alarm[];
};

/** A node that is away or behind for less long may have lost a request, or be started anew. */
const patienceMs = 120_000;
/** A node that has said something else was wrong then, so its alarm stands for so long after. */
const differsMs = 120_000;

type Seen = {
  /** Since when no round has found it good. */
  badSince: number | undefined;
  problem: NodeProblem | undefined;
  said: string;
  differedAt: number | undefined;
};

const names: Readonly<Record<Exclude<NodeProblem, 'foreign'>, AlarmName>> = {
  away: 'nodeAway',
  behind: 'nodeBehind',
  differs: 'nodeDiffers',
};

/** `now` is in milliseconds and never goes back. */
export function createNodeWatch(now: () => number): NodeWatch {
  const seen = new Map<number, Seen>();
  return {
    take: (sightings) => {
      const at = now();
      const standings = sightings.map((sighting, place) => {
        const one = seen.get(place) ?? fresh();
        seen.set(place, one);
        look(one, sighting, at);
        return standingOf(one, { sighting, place: place + 1 }, at);
      });
      return {
        nodes: standings.map(({ figures }) => figures),
        alarms: standings.flatMap(({ alarm }) => (alarm === undefined ? [] : [alarm])),
      };
    },
  };
}

const fresh = (): Seen => ({
  ...{ badSince: undefined, problem: undefined, said: '', differedAt: undefined },
});

function look(one: Seen, { state, said }: NodeSighting, at: number): void {
  if (state === 'differs') {
    one.differedAt = at;
    one.said = said;
  } else if (one.differedAt !== undefined && at - one.differedAt >= differsMs) {
    one.differedAt = undefined;
  }
  if (state === 'unknown') return;
  if (state === 'good') {
    one.badSince = undefined;
    one.problem = undefined;
    return;
  }
  one.badSince ??= at;
  one.problem = state;
  if (one.differedAt === undefined) one.said = said;
}

type Looked = { readonly sighting: NodeSighting; readonly place: number };

function standingOf(
  { badSince, problem, said, differedAt }: Seen,
  { sighting: { name }, place }: Looked,
  at: number,
): { readonly figures: NodeFigures; readonly alarm: Alarm | undefined } {
  const isLong = badSince !== undefined && at - badSince >= patienceMs;
  const standing = differedAt === undefined ? problem : 'differs';
  const isWrong = standing === 'differs' || standing === 'foreign' || isLong;
  const figures = { place, host: name, isWrong };
  // The service itself names a foreign one.
  if (!isWrong || standing === undefined || standing === 'foreign') {
    return { figures, alarm: undefined };
  }
  return { figures, alarm: { name: names[standing], node: place, detail: `${name}: ${said}` } };
}
