// The algo order of FAPI (algoRecord.ts) under its native names: what every native row about
// triggers answers (NAT-5).

import type { Trigger } from '../../engine/views/trigger.ts';
import { exactObject, namedAnswerSchema } from '../answerSchema.ts';
import type { Deployment } from '../deployment.ts';
import { enumerations } from '../enumerations.ts';
import { algoListText, algoMembers, answerTrigger } from '../fapi/algoRecord.ts';
import type { StoredTrigger } from '../historyPort.ts';
import type { Answer, Answered } from '../operation.ts';
import { nativeText, snakeSchema } from './nativeRecord.ts';

export const nativeTriggerSchema = snakeSchema(
  namedAnswerSchema(
    'AlgoOrder',
    exactObject({ ...algoMembers, algoStatus: enumerations.triggerStatus }),
  ),
);

/** A trigger as it is now, with the order that it placed. */
export function nativeTriggerAnswer(
  deployment: Deployment,
  trigger: Readonly<Trigger> | StoredTrigger,
): Answered {
  return answerTrigger(deployment, trigger, nativeText);
}

export function nativeTriggerList(
  deployment: Deployment,
  triggers: readonly StoredTrigger[],
): Answer {
  return { status: 200, text: algoListText(deployment, triggers, nativeText) };
}
