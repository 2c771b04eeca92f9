// Runs one row of the operations table for one request: reads its parameters, asks or commands,
// and hands over the answer when everything it may have seen is durable.

import type { Context } from '../api/deployment.ts';
import { failureAnswer } from '../api/errors/failureAnswer.ts';
import {
  type Answer,
  type Failure,
  type Intent,
  isAnswer,
  isIntent,
  type Operation,
} from '../api/operation.ts';
import { isRefusal, type ParameterReader } from '../api/readParameters.ts';
import type { Refusal } from '../api/refusal.ts';
import type { Gateway } from './gateway.ts';

/** A row made ready to be served. */
export type ServedRow = {
  readonly row: Operation;
  readonly reader: ParameterReader<Record<string, unknown>>;
  /** The name of the list that a bare JSON array as body is. */
  readonly bodyList: string | undefined;
};

const internal: Refusal = { reason: 'internal' };

/** `send` is called exactly once, from here or later; it must not throw. */
export function performRow(
  gateway: Gateway,
  { row, reader }: ServedRow,
  context: Context,
  send: (answer: Answer) => void,
): void {
  const answerOf = (result: Answer | Failure): Answer =>
    isAnswer(result) ? result : failureAnswer(row.surface, result, context.now);
  try {
    const parameters = reader(context.fields, gateway.replica.exchange);
    if (isRefusal(parameters)) {
      send(answerOf(parameters));
      return;
    }
    switch (row.does) {
      case 'query':
        sendDurable(gateway, answerOf(row.query(context, parameters)), send);
        return;
      case 'command': {
        const result = row.command(context, parameters);
        if (isIntent(result)) submit(gateway, row, result, answerOf, send);
        else sendDurable(gateway, answerOf(result), send);
        return;
      }
      case 'procedure':
        row.procedure(context, parameters).then(
          (result) => sendDurable(gateway, answerOf(result), send),
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

function sendDurable(gateway: Gateway, answer: Answer, send: (answer: Answer) => void): void {
  gateway.replica.whenDurable(() => send(answer));
}

function submit(
  gateway: Gateway,
  row: Operation,
  { command, lane, answer }: Intent,
  answerOf: (result: Answer | Failure) => Answer,
  send: (answer: Answer) => void,
): void {
  let captured: Answer | undefined;
  const accepted = gateway.replica.submit(command, lane, {
    // The command is in the log and applied: an answer that cannot be made must not tear the
    // replica down.
    capture: (outcome) => {
      if (outcome.kind === 'rejected' && outcome.rejection.reason === 'fault') {
        gateway.onFault(new Error(outcome.rejection.detail), row.name);
      }
      try {
        captured = answerOf(answer(outcome));
      } catch (error) {
        gateway.onFault(error, row.name);
      }
    },
    release: () => send(captured ?? answerOf(internal)),
  });
  if (!accepted) send(answerOf({ reason: 'overloaded' }));
}
