// Makes the answer of a refusal or rejection: the three error envelopes of the interface, from the
// two tables beside this file.

import type { Time } from '../../units/units.ts';
import type { Answer, Failure, Surface } from '../operation.ts';
import { refusalErrors } from './refusalErrors.ts';
import { rejectionErrors } from './rejectionErrors.ts';
import type { Message, WireError } from './wireError.ts';

// Each row takes the data of its own reason. The index by the same reason guarantees this.
const errors = { ...rejectionErrors, ...refusalErrors } as unknown as Record<
  Failure['reason'],
  WireError<Failure>
>;

function textOf(message: Message<Failure>, failure: Failure): string {
  return typeof message === 'string' ? message : message(failure);
}

/** `{code, msg}` of a failure on FAPI; lists contain it too (ORD-8). */
export function fapiErrorText(failure: Failure): string {
  const { fapi, msg } = errors[failure.reason];
  return `{"code":${fapi.code},"msg":${JSON.stringify(textOf(msg, failure))}}`;
}

/** `{code, message}` of a native failure, for an item of a list (ORD-8). */
export function nativeErrorText(failure: Failure): string {
  const { native, msg, message } = errors[failure.reason];
  const text = textOf(message ?? msg, failure);
  return `{"code":"${native.code}","message":${JSON.stringify(text)}}`;
}

/** `{code, msg}` for a trigger that failed. Only the reason of the failure is kept (TRG-1). */
export function fapiReasonText(reason: string): string {
  const { fapi, msg, brief } = errors[reason as Failure['reason']] ?? errors.internal;
  const text = typeof msg === 'string' ? msg : (brief ?? reason);
  return `{"code":${fapi.code},"msg":${JSON.stringify(text)}}`;
}

/** A FAPI failure as sockets report it: code and text only (conventions, 14.1). */
export function fapiBareFailure(failure: Failure): Answer {
  return { status: errors[failure.reason].fapi.status, text: fapiErrorText(failure) };
}

/**
 * A FAPI failure: code and text, and the members of the service envelope for failures of AUTH-2.
 */
export function fapiFailure(failure: Failure, now: Time): Answer {
  const { fapi, msg } = errors[failure.reason];
  if (fapi.envelope === undefined) return fapiBareFailure(failure);
  const message = textOf(msg, failure);
  const text = JSON.stringify({
    code: fapi.code,
    msg: message,
    success: false,
    data: null,
    error: { code: fapi.envelope, message },
    timestamp: Math.floor(now / 1000),
  });
  return { status: fapi.status, text };
}

/** A failure in the native envelope (AUTH-6). */
export function nativeFailure(failure: Failure, now: Time): Answer {
  const { native, msg, message } = errors[failure.reason];
  const text = JSON.stringify({
    success: false,
    data: null,
    error: { code: native.code, message: textOf(message ?? msg, failure) },
    timestamp: Math.floor(now / 1000),
  });
  return { status: native.status, text };
}

/** The native envelope with FAPI's `code` and `msg` added, for a path of no surface (AUTH-6). */
export function fullFailure(failure: Failure, now: Time): Answer {
  const { status, text } = nativeFailure(failure, now);
  return { status, text: `${fapiErrorText(failure).slice(0, -1)},${text.slice(1)}` };
}

/** The failure as this surface reports it. Operator and probes use the native envelope (OPS-1). */
export function failureAnswer(surface: Surface, failure: Failure, now: Time): Answer {
  return surface === 'fapi' ? fapiFailure(failure, now) : nativeFailure(failure, now);
}
