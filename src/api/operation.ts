// A row of the operations table: one operation of one surface as data. Routing, limits, reading of
// parameters, documentation, the typed client and the API tests derive from the rows. Routes are
// made nowhere else.

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
 * must be valid if it is sent. jwt: a bearer token of a login. jwtOptional: public, but a token
 * must be valid if it is sent. operator: the operator's bearer token.
 */
export type Auth = 'none' | 'key' | 'keyOnly' | 'jwt' | 'jwtOptional' | 'operator';

/** The answer of a success. `text` is the whole body, serialised when the state was read. */
export type Answer = {
  readonly status: number;
  readonly text: string;
  /** JSON unless this says otherwise. */
  readonly contentType?: string;
  /** The same record at each request: the gateway keeps it compressed, and clients may keep it. */
  readonly document?: true;
};

/** What a row answers on failure. The table of errors/ has its code and text. */
export type Failure = Refusal | Rejection;

/** The result of a request, at once, or after others have answered. */
export type Answered = Answer | Failure | Promise<Answer | Failure>;

/** A command and how its outcome becomes an answer. */
export type Intent = {
  readonly command: Command;
  readonly lane: Lane;
  /** A part of the request is refused without a command. */
  readonly isPart?: boolean;
  /** Its answer shows the accepted order, and nothing else: `answerOrder` makes it. */
  readonly showsOrder?: true;
  /**
   * Runs right after the command was applied, on the trading thread, and serialises at once what it
   * needs of the live records. The answer leaves when the command is durable. If it needs something
   * that only history knows, it also waits for history.
   */
  readonly answer: (outcome: Outcome) => Answered;
};

/** What a client must know of an operation in order to call it. */
export type Route = {
  readonly method: Method;
  /** With `:name` for path parameters, which are read like any other parameter. */
  readonly path: string;
  readonly auth: Auth;
};

type Base<P extends TObject, R extends TSchema> = Route & {
  /**
   * Unique over all surfaces: the name of the client's function and the id in the documentation.
   */
  readonly name: string;
  readonly surface: Surface;
  /** Other paths of the same operation. */
  readonly aliases?: readonly string[];
  /** Request weight, or a function of the query string. */
  readonly weight: number | ((query: Fields) => number);
  /** Whether it counts in the two order buckets (AUTH-7). */
  readonly countsAsOrder?: boolean;
  /** Whether it reads the header Idempotency-Key (ID-3). */
  readonly idempotent?: boolean;
  /** Only for clients in the deployment's own networks (CON-3). */
  readonly internal?: boolean;
  /** A text that does not change until the next start (CON-4). */
  readonly document?: boolean;
  readonly summary: string;
  readonly parameters: P;
  /** Schema of the body of a success, made with answerSchema.ts. It lists every member. */
  readonly response: R;
  /** Its reasons of failure, besides those of every row of its kind (errors/failuresOf.ts). */
  readonly failures?: readonly Failure['reason'][];
  /**
   * Parameters that others make necessary. Runs after the required ones and the enumerations (1.5).
   */
  requires?(read: Partial<Static<P>>, fields: Fields): Refusal | undefined;
};

/** Reads the state. The answer leaves when everything that it may have seen is durable. */
export type QueryOperation<P extends TObject, R extends TSchema> = Base<P, R> & {
  readonly does: 'query';
  query(context: Context, parameters: Static<P>): Answer | Failure;
};

/** A command, or an answer or refusal without one, which may have to wait for history. */
export type Commanded = Intent | Answer | Failure | Promise<Answer | Failure>;

/** Becomes a command of the log, or is refused, or is answered without a command. */
export type CommandOperation<P extends TObject, R extends TSchema> = Base<P, R> & {
  readonly does: 'command';
  /**
   * Its command follows from the request and the grid of its market, and not from orders, triggers
   * or positions. So a process that is a moment behind makes the same command.
   */
  readonly ofRequestAlone?: true;
  /** Of a row whose command follows from the request and the grid of its market. */
  readonly apart?: Apart<Static<P>>;
  command(context: Context, parameters: Static<P>): Commanded;
};

/** Whose command it is, and its Idempotency-Key and request as hashes; empty: none. */
export type Asking = {
  readonly account: Pick<Account, 'id'>;
  readonly idempotencyKey: string;
  readonly idempotencyRequest: string;
};

/**
 * The two halves of a row's `command`. The first needs no state, so a gateway worker may do it; the
 * trading thread does the second, with the command alone (gateway/workers/).
 */
export type Apart<Parameters> = {
  make(asking: Asking, parameters: Parameters): Command | Refusal;
  /** How a command of `make` is performed and answered; undefined for kinds that do not part. */
  intentOf(context: Context, command: Command): Intent | undefined;
};

/** Needs more than one step: login, key creation, the archivist, history. */
export type ProcedureOperation<P extends TObject, R extends TSchema> = Base<P, R> & {
  readonly does: 'procedure';
  procedure(context: Context, parameters: Static<P>): Promise<Answer | Failure>;
};

export type Operation<P extends TObject = TObject, R extends TSchema = TSchema> =
  | QueryOperation<P, R>
  | CommandOperation<P, R>
  | ProcedureOperation<P, R>;

/** Gives the row itself. The call checks that schema and reading have the same types. */
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

/** The command of a row that is made of two halves. */
export function commandOf<Parameters>(
  { make, intentOf }: Apart<Parameters>,
  context: Context,
  parameters: Parameters,
): Intent | Refusal {
  const { idempotencyKey, idempotencyRequest } = context;
  const asking = { account: callerOf(context), idempotencyKey, idempotencyRequest };
  const made = make(asking, parameters);
  if ('reason' in made) return made;
  return must(intentOf(context, made), 'a row performs what it makes');
}

/** HTTP 200 with this value as JSON; pass `status` for another success. */
export function answerJson(value: unknown, status = 200): Answer {
  return { status, text: JSON.stringify(value) };
}

/** Distinguishes the four results of a row: only an Answer has a status. */
export function isAnswer(result: Answer | Intent | Failure): result is Answer {
  return 'text' in result;
}

export function isIntent(result: Answer | Intent | Failure): result is Intent {
  return 'command' in result;
}

/** The account of a request whose row requires a key or a token. */
export function callerOf(context: Context): Account {
  return must(context.account, 'the gateway admits no request without an account here');
}
