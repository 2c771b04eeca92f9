// A row of the operations table: one operation of one surface as data. Routing, limits, reading of
// parameters, documentation, the typed client and the API tests derive from the rows; there are no
// other places where a route is made.

import type { Static, TObject, TSchema } from 'typebox';
import type { Command } from '../engine/command.ts';
import type { Outcome } from '../engine/outcome.ts';
import type { Rejection } from '../engine/rejection.ts';
import type { Account } from '../engine/views/account.ts';
import { must } from '../std/assert.ts';
import type { Context, Lane } from './deployment.ts';
import type { Fields } from './fields.ts';
import type { Refusal } from './refusal.ts';

export type Surface = 'fapi' | 'native' | 'operator' | 'probe';
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * none: public. key: X-MBX-APIKEY and a signature. keyOnly: X-MBX-APIKEY alone, but a signature
 * that is sent must be valid. jwt: a bearer token of a login. jwtOptional: as public, but a token
 * that is sent must be valid. operator: the operator's bearer token.
 */
export type Auth = 'none' | 'key' | 'keyOnly' | 'jwt' | 'jwtOptional' | 'operator';

/** What is sent when all is well. `text` is the whole body, serialised when the state was read. */
export type Answer = {
  readonly status: number;
  readonly text: string;
  /** JSON unless said otherwise. */
  readonly contentType?: string;
  /** The very same record at each request: the gateway keeps it compressed, clients may keep it. */
  readonly document?: true;
};

/** What a row answers instead: why not. The table of errors/ knows its code and text. */
export type Failure = Refusal | Rejection;

/** What becomes of a request: at once, or when others have been asked. */
export type Answered = Answer | Failure | Promise<Answer | Failure>;

/** A command and how its outcome becomes an answer. */
export type Intent = {
  readonly command: Command;
  readonly lane: Lane;
  /**
   * Runs right after the command was applied, on the trading thread: it serialises at once what it
   * needs of the live records. The answer leaves when the command is durable; where it takes what
   * only history knows, when that is there too.
   */
  readonly answer: (outcome: Outcome) => Answered;
};

/** What a client must know of an operation in order to call it. */
export type Route = {
  readonly method: Method;
  /** With `:name` for path parameters, which are read like any other. */
  readonly path: string;
  readonly auth: Auth;
};

type Base<P extends TObject, R extends TSchema> = Route & {
  /** Unique over all surfaces; the client's function and the documentation's id. */
  readonly name: string;
  readonly surface: Surface;
  /** Other paths where the same is served. */
  readonly aliases?: readonly string[];
  /** Request weight, or a function of what was sent in the query string. */
  readonly weight: number | ((query: Fields) => number);
  /** Whether it counts in the two order buckets (AUTH-7). */
  readonly countsAsOrder?: boolean;
  /** Whether it reads the header Idempotency-Key (ID-3). */
  readonly idempotent?: boolean;
  /** For clients of the deployment's own networks only (CON-3). */
  readonly internal?: boolean;
  /** A text that does not change until the next start (CON-4). */
  readonly document?: boolean;
  readonly summary: string;
  readonly parameters: P;
  /** Of the body of a success: made of answerSchema.ts, which leaves nothing open. */
  readonly response: R;
  /** Why it may fail, besides what every row of its kind may (errors/failuresOf.ts). */
  readonly failures?: readonly Failure['reason'][];
  /** What others make necessary; asked when required ones and enumerations are read (1.5). */
  requires?(read: Partial<Static<P>>, fields: Fields): Refusal | undefined;
};

/** Reads the state. The answer leaves when everything it may have seen is durable. */
export type QueryOperation<P extends TObject, R extends TSchema> = Base<P, R> & {
  readonly does: 'query';
  query(context: Context, parameters: Static<P>): Answer | Failure;
};

/** Becomes a command of the log, or is refused, or is answered without one. */
export type CommandOperation<P extends TObject, R extends TSchema> = Base<P, R> & {
  readonly does: 'command';
  command(context: Context, parameters: Static<P>): Intent | Answer | Failure;
};

/** What needs more than one step: login, key creation, the archivist, history. */
export type ProcedureOperation<P extends TObject, R extends TSchema> = Base<P, R> & {
  readonly does: 'procedure';
  procedure(context: Context, parameters: Static<P>): Promise<Answer | Failure>;
};

export type Operation<P extends TObject = TObject, R extends TSchema = TSchema> =
  | QueryOperation<P, R>
  | CommandOperation<P, R>
  | ProcedureOperation<P, R>;

/** The row itself; the call ties the types of schema and reading together. */
export function defineQuery<P extends TObject, R extends TSchema>(
  row: Omit<QueryOperation<P, R>, 'does'>,
): QueryOperation<P, R> {
  return { ...row, does: 'query' };
}

export function defineCommand<P extends TObject, R extends TSchema>(
  row: Omit<CommandOperation<P, R>, 'does'>,
): CommandOperation<P, R> {
  return { ...row, does: 'command' };
}

export function defineProcedure<P extends TObject, R extends TSchema>(
  row: Omit<ProcedureOperation<P, R>, 'does'>,
): ProcedureOperation<P, R> {
  return { ...row, does: 'procedure' };
}

/** HTTP 200 with this value as JSON; pass `status` for another success. */
export function answerJson(value: unknown, status = 200): Answer {
  return { status, text: JSON.stringify(value) };
}

/** Distinguishes the four things that a row can give: an Answer alone has a status. */
export function isAnswer(result: Answer | Intent | Failure): result is Answer {
  return 'text' in result;
}

export function isIntent(result: Answer | Intent | Failure): result is Intent {
  return 'command' in result;
}

/** The account of a request whose row asks for a key or a token. */
export function callerOf(context: Context): Account {
  return must(context.account, 'the gateway admits no request without an account here');
}
