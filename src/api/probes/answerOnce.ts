// Answers that are made once for a deployment: anybody may ask, and trading shares the thread.

import type { Deployment } from '../deployment.ts';
import type { Answer } from '../operation.ts';

type Asked = { readonly deployment: Deployment };

/** Gives the same record at each call, as a document (CON-4). */
export function answerOnce(answerOf: (asked: Asked) => Answer): (asked: Asked) => Answer {
  const made = new WeakMap<Deployment, Answer>();
  return ({ deployment }) => {
    const known = made.get(deployment);
    if (known !== undefined) return known;
    const answer: Answer = { ...answerOf({ deployment }), document: true };
    made.set(deployment, answer);
    return answer;
  };
}
