// The target of the fast lane: streams of requests, whole, spoilt and hostile, cut anywhere. A
// listener with the lane and one without must answer with the same bytes, and their handlers must
// see the same requests.

import type { ParseRequest } from '../src/gateway/lane/parseRequest.ts';
import { createDraw } from './draw.ts';
import { drawLaneCase } from './laneCase.ts';
import { type Heard, type LaneCase, type LaneListener, openLaneListener } from './laneStage.ts';
import { demand, type Target, type TargetReport, type TargetRun, tryAlone } from './target.ts';

export const laneTarget: Target = (run) => compareLane(run);

/** `parseInLane`: another parser than the usual one, to see that its mistake is found. */
export function compareLane(run: TargetRun, parseInLane?: ParseRequest): Promise<TargetReport> {
  const beside = {
    lane: openLaneListener(parseInLane),
    platform: openLaneListener(() => 'handOver'),
  };
  return tryAlone('lane', run, (seed) => tryLaneCase(drawLaneCase(createDraw(seed)), beside));
}

type Beside = { readonly lane: LaneListener; readonly platform: LaneListener };

/** Throws where the two differ. */
async function tryLaneCase(given: LaneCase, beside: Beside): Promise<string> {
  const lane = await beside.lane.talk(given);
  const platform = await beside.platform.talk(given);
  demand(isEqual(given, lane, platform), () => {
    const sent = given.pieces.map(({ bytes, turns }) => [turns, bytes.toString('latin1')]);
    return `the lane differs\n  sent: ${short({ ...given, pieces: sent })}\n  lane: ${short(
      lane,
    )}\n  platform: ${short(platform)}`;
  });
  const first = /^HTTP\/1\.1 (\d{3})/.exec(platform.text)?.[1] ?? 'nothing';
  return `${Math.min(platform.seen.length, 3)} seen, ${first}`;
}

const short = (value: unknown): string => JSON.stringify(value).slice(0, 6000);

/**
 * Behind an answer that ends the connection it is chance what the handler still sees: no answer to
 * it can leave.
 */
function isEqual(given: LaneCase, lane: Heard, platform: Heard): boolean {
  if (lane.ended !== platform.ended) return false;
  if (losesSome(given)) return beginAlike(lane, platform);
  if (lane.text !== platform.text) return false;
  const answers = lane.text.match(/HTTP\/1\.1 \d{3} /g)?.length ?? 0;
  const seenBy = ({ seen, ended }: Heard): string =>
    JSON.stringify(ended ? seen.slice(0, answers) : seen);
  return seenBy(lane) === seenBy(platform);
}

function beginAlike(a: Heard, b: Heard): boolean {
  const isPart = a.text.startsWith(b.text) || b.text.startsWith(a.text);
  return isPart && a.seen.every(({ head }, i) => head === (b.seen[i]?.head ?? head));
}

/**
 * At a CONNECT the platform closes at once, with the answers that are being made. Behind an upgrade
 * that is declined it drops what came in the same piece. How much that is, is chance.
 */
const losesSome = ({ pieces }: LaneCase): boolean =>
  /CONNECT |PRI |upgrade/i.test(Buffer.concat(pieces.map(({ bytes }) => bytes)).toString('latin1'));
