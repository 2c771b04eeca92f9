// The way of an answer into a trading socket (WS-6; conventions, 14.1): the frame that carries it,
// and what of the caller's limits is shown there.

import { fapiBareFailure } from '../../api/errors/failureAnswer.ts';
import { orderLimitRecords, weightLimitRecord } from '../../api/fapi/rateLimitRecords.ts';
import type { Answer } from '../../api/operation.ts';
import { type Reader, sendText } from '../../streams/reader.ts';
import type { AnswerExit, Usage } from '../pendingAnswer.ts';
import type { FrameId } from './tradingFrame.ts';

/** `showsLimits`: whether the frame says what was used. */
export function frameExit(reader: Reader, id: FrameId, showsLimits: boolean): AnswerExit {
  return {
    failureOf: (_surface, failure) => fapiBareFailure(failure),
    send: (answer, usage) => {
      const limits = showsLimits ? `,"rateLimits":${JSON.stringify(rateLimitsOf(usage))}` : '';
      sendText(reader, frameText(id, answer, limits));
    },
  };
}

function frameText(id: FrameId, { status, text }: Answer, limits: string): string {
  const member = status < 400 ? 'result' : 'error';
  return `{"id":${JSON.stringify(id)},"status":${status},"${member}":${text}${limits}}`;
}

/** What the headers of HTTP say, each figure beside its ceiling. */
function rateLimitsOf({ weight, weightMax, orders10s, orders1m, tier }: Usage): object[] {
  const shown: object[] = [];
  if (tier !== undefined && orders10s >= 0) {
    const [minute, tenSeconds] = orderLimitRecords(tier);
    shown.push({ ...tenSeconds, count: orders10s }, { ...minute, count: orders1m });
  }
  if (weight >= 0) shown.push({ ...weightLimitRecord({ weight: weightMax }), count: weight });
  return shown;
}
