// Answers over the trading socket (WS-6; conventions, 14.1): the frame of an answer, and the limits
// that it shows.

import { fapiBareFailure } from '../../api/errors/failureAnswer.ts';
import { orderLimitRecords, weightLimitRecord } from '../../api/fapi/rateLimitRecords.ts';
import type { Answer } from '../../api/operation.ts';
import { type Reader, sendText } from '../../streams/reader.ts';
import type { Responder, Usage } from '../responder.ts';
import type { FrameId } from './tradingFrame.ts';

/** `showsLimits`: whether the frame shows the used limits. */
export function frameResponder(reader: Reader, id: FrameId, showsLimits: boolean): Responder {
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

/** The figures of the HTTP headers, each with its ceiling. */
function rateLimitsOf({ weight, weightMax, orders10s, orders1m, tier }: Usage): object[] {
  const shown: object[] = [];
  if (tier !== undefined && orders10s >= 0) {
    const [minute, tenSeconds] = orderLimitRecords(tier);
    shown.push({ ...tenSeconds, count: orders10s }, { ...minute, count: orders1m });
  }
  if (weight >= 0) shown.push({ ...weightLimitRecord({ weight: weightMax }), count: weight });
  return shown;
}
