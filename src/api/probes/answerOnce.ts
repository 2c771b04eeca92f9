// Answers that a deployment makes once: anyone may request them, and they share the thread with
// trading.

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
