// Every reason for which an operation may fail, and what each looks like on its surface: for the
// documentation, and for the tests that compare answers with it. This file derives what follows
// from the row itself (its surface, its authentication, its parameters); the row lists the rest.

import type { Failure, Operation } from '../operation.ts';
import { type Reading, readingOf } from '../parameterSchema.ts';
import { refusalErrors } from './refusalErrors.ts';
import { rejectionErrors } from './rejectionErrors.ts';
import type { FapiError, NativeError, WireError } from './wireError.ts';

export type FailureReason = Failure['reason'];

/** A malformed request, and a fault of the exchange. */
const ofAll: readonly FailureReason[] = ['requestMalformed', 'parameterMalformed', 'internal'];

/** What can stop a request on its way into the log. */
const ofCommands: readonly FailureReason[] = [
  'overloaded',
  'stopping',
  'waiting',
  'fateUnknown',
  'diskFull',
  'memoryShort',
  'deadlinePassed',
  'capacityReached',
  'fault',
];

/** What a query of the operator waits for at a process that follows. It is under no limit. */
const untilCurrent: readonly FailureReason[] = ['overloaded', 'waiting'];

const ofKeys: readonly FailureReason[] = [
  'apiKeyMissing',
  'apiKeyInvalid',
  'apiKeyDisabled',
  'addressNotAllowed',
  'signatureInvalid',
  'timestampOutsideWindow',
];

const ofAuth: Readonly<Record<Operation['auth'], readonly FailureReason[]>> = {
  none: [],
  key: ofKeys,
  keyOnly: ofKeys,
  jwt: ['tokenInvalid'],
  jwtOptional: ['tokenInvalid'],
  operator: ['operatorTokenInvalid'],
};

/** The reasons for which a parameter of this kind can be refused. */
function ofReading(reading: Reading): readonly FailureReason[] {
  switch (reading.read) {
    case 'market':
      return [reading.unknown];
    case 'choice':
      return [reading.refuse];
    case 'flag':
    case 'integer':
    case 'list':
      return ['parameterMalformed'];
    case 'orderId':
    case 'clientOrderId':
    case 'text':
      return ['parameterIllegal'];
    case 'decimal':
      return ['parameterIllegal', 'quantityInvalid'];
    case 'record':
      return ['parameterMissing', 'parameterMalformed', 'parameterIllegal', 'quantityInvalid'];
  }
}

function ofParameters({ parameters }: Operation): readonly FailureReason[] {
  const required = (parameters.required ?? []).length > 0;
  const readings = Object.values(parameters.properties).map(readingOf);
  return [
    ...(required ? (['parameterMissing'] as const) : []),
    ...readings.flatMap((reading) => (reading === undefined ? [] : ofReading(reading))),
  ];
}

/** A procedure that only reads asks the archivist, and the archivist may be overloaded. */
function ofDoing({ does, method, surface }: Operation): readonly FailureReason[] {
  if (does === 'query') return surface === 'operator' ? untilCurrent : [];
  return does === 'procedure' && method === 'GET' ? ['overloaded'] : ofCommands;
}

/** History may be behind when an operation asks it. */
function ofHistory({ failures = [] }: Operation): readonly FailureReason[] {
  return failures.includes('databaseFailed') ? ['historyBehind'] : [];
}

/** In no particular order, each reason once. */
export function failuresOf(row: Operation): readonly FailureReason[] {
  const limited = row.surface !== 'operator';
  return [
    ...new Set([
      ...ofAll,
      ...ofAuth[row.auth],
      ...(limited ? (['tooManyRequests'] as const) : []),
      ...(row.method === 'GET' ? [] : (['bodyMalformed', 'bodyTooLarge'] as const)),
      ...ofParameters(row),
      ...ofDoing(row),
      ...(row.idempotent === true ? (['idempotencyConflict'] as const) : []),
      ...(row.failures ?? []),
      ...ofHistory(row),
    ]),
  ];
}

// Each row takes the data of its own reason; its code does not depend on them.
const errors = { ...rejectionErrors, ...refusalErrors } as unknown as Readonly<
  Record<FailureReason, WireError<Failure>>
>;

/** Status and code of a reason. */
export function wireErrorOf(reason: FailureReason): {
  readonly fapi: FapiError;
  readonly native: NativeError;
} {
  return errors[reason];
}
