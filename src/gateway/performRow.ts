// Runs one row of the operations table for one request: reads its parameters, asks or commands,
// and hands over the answer when everything it may have seen is durable.

import type { Context } from '../api/deployment.ts';
import {
  type Answer,
  type Failure,
  type Intent,
  isAnswer,
  isIntent,
  type Operation,
} from '../api/operation.ts';
import { isRefusal } from '../api/readParameters.ts';
import type { Refusal } from '../api/refusal.ts';
import { chargeWork } from './accountCeilings.ts';
import type { Gateway } from './gateway.ts';
import type { AnswerExit } from './pendingAnswer.ts';
import type { ServedRow } from './servedRow.ts';

const internal: Refusal = { reason: 'internal' };

/** How a failure reads where the answer goes, and the way: called once, now or later. */
export type RowExit = Pick<AnswerExit, 'failureOf'> & {
  /** Must not throw. */
  readonly send: (answer: Answer) => void;
};

export function performRow(
  gateway: Gateway,
  { row, reader }: ServedRow,
  context: Context,
  { failureOf, send }: RowExit,
): void {
  const answerOf = (result: Answer | Failure): Answer =>
    isAnswer(result) ? result : failureOf(row.surface, result, context.now);
  try {
    const parameters = reader(context.fields, gateway.replica.exchange);
    if (isRefusal(parameters)) {
      send(answerOf(parameters));
      return;
    }
    switch (row.does) {
      case 'query':
        sendDurable(gateway, row, answerOf(row.query(context, parameters)), send);
        return;
      case 'command': {
        const result = row.command(context, parameters);
        if (isIntent(result)) submit({ gateway, row, context, answerOf, send }, result);
        else sendDurable(gateway, row, answerOf(result), send);
        return;
      }
      case 'procedure':
        row.procedure(context, parameters).then(
          (result) => sendDurable(gateway, row, answerOf(result), send),
          (error) => {
            gateway.onFault(error, row.name);
            send(answerOf(internal));
          },
        );
        return;
    }
  } catch (error) {
    gateway.onFault(error, row.name);
    send(answerOf(internal));
  }
}

/**
 * Probes answer when the disk does not, too (OPS-3): what their figures show of a batch that a
 * crash would undo is nobody's to rely on.
 */
function sendDurable(
  gateway: Gateway,
  row: Operation,
  answer: Answer,
  send: (answer: Answer) => void,
): void {
  if (row.surface === 'probe') send(answer);
  else gateway.replica.whenDurable(() => send(answer));
}

type Submission = Pick<RowExit, 'send'> & {
  readonly gateway: Gateway;
  readonly row: Operation;
  readonly context: Context;
  readonly answerOf: (result: Answer | Failure) => Answer;
};

function submit(submission: Submission, { command, lane, answer }: Intent): void {
  const { gateway, row, context, answerOf, send } = submission;
  let captured: Answer | Promise<Answer> | undefined;
  const faulty = (error: unknown): Answer => {
    gateway.onFault(error, row.name);
    return answerOf(internal);
  };
  const accepted = gateway.replica.submit(command, lane, {
    // The command is in the log and applied: an answer that cannot be made must not tear the
    // replica down.
    capture: (outcome, work) => {
      if (context.account !== undefined) {
        chargeWork(gateway.limits, context.account, work, gateway.clock.now());
      }
      if (outcome.kind === 'rejected' && outcome.rejection.reason === 'fault') {
        gateway.onFault(new Error(outcome.rejection.detail), row.name);
      }
      try {
        const result = answer(outcome);
        captured =
          result instanceof Promise ? result.then(answerOf).catch(faulty) : answerOf(result);
      } catch (error) {
        captured = faulty(error);
      }
    },
    release: () => {
      if (captured instanceof Promise) captured.then(send, faulty);
      else send(captured ?? answerOf(internal));
    },
  });
  if (!accepted) send(answerOf({ reason: gateway.replica.whyRefused(lane) }));
}
