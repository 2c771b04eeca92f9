// What the subcommands that call a running server's operator surface share: its address, its token,
// and how an answer or a refusal is printed. Each subcommand's own request is in its own file.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ApiError } from '../client/apiError.ts';
import type { Client } from '../client/client.ts';
import { createClient } from '../client/createClient.ts';
import { type SubcommandName, usageLine } from './usages.ts';

/** The input and output of one run of a subcommand. */
export type VerbIo = {
  /** Writes a line to standard output. */
  readonly print: (line: string) => void;
  /** Writes a line to standard error. */
  readonly complain: (line: string) => void;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Asks the person at the terminal; undefined when there is no terminal. */
  readonly confirm?: ((question: string) => Promise<boolean>) | undefined;
  readonly fetch?: typeof fetch;
};

/** Members that confirm what is refused without them (OPS-4), by name. */
export type Expected = Readonly<Record<string, unknown>>;

export type Verb = {
  readonly name: SubcommandName;
  /** Its own options; each takes a value. */
  readonly options?: readonly string[];
  /**
   * Sends the request. Gives the value to print as JSON, or undefined when the arguments do not
   * match the usage.
   */
  readonly ask: (call: {
    readonly operator: Client['operator'];
    readonly words: readonly string[];
    readonly options: Readonly<Record<string, string | undefined>>;
    /** What the person at the terminal has confirmed. */
    readonly confirmed: Expected;
  }) => Promise<unknown> | undefined;
  /**
   * The option that confirms what is refused without it (OPS-4); otherwise a word NAME=VALUE
   * confirms.
   */
  readonly confirmedBy?: string;
  /** Whether the answer reports a problem: exit code 1. */
  readonly bad?: (answer: unknown) => boolean;
};

// There is no flag for the token, because every process can read a command line.
const common = ['operator-url', 'data'] as const;

/**
 * Exit codes: 0 answered, 1 refused, unreachable or an answer that reports a problem, 2 typed
 * wrongly.
 */
export async function runVerb(verb: Verb, args: readonly string[], io: VerbIo): Promise<number> {
  const wrong = (message: string): number => {
    if (message !== '') io.complain(message);
    io.complain(usageLine(verb.name));
    return 2;
  };
  let parsed: { values: Record<string, string | undefined>; positionals: string[] };
  try {
    const names = [...common, ...(verb.options ?? [])];
    const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
    const read = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
    parsed = { values: { ...read.values }, positionals: read.positionals };
  } catch (error) {
    return wrong(messageOf(error));
  }
  const { values, positionals } = parsed;
  try {
    const operator = operatorOf(values, io);
    const ask = (confirmed: Expected) =>
      verb.ask({ operator, words: positionals, options: values, confirmed });
    const asked = ask({});
    if (asked === undefined) return wrong('');
    const answer = await asked.catch((error: unknown) => askAgain(error, ask, { verb, io }));
    io.print(JSON.stringify(answer, null, 2));
    return verb.bad?.(answer) === true ? 1 : 0;
  } catch (error) {
    io.complain(messageOf(error, verb));
    return 1;
  }
}

/** Dangerous actions are confirmed by a person at the terminal, and never by a script. */
async function askAgain(
  error: unknown,
  ask: (confirmed: Expected) => Promise<unknown> | undefined,
  { verb, io: { confirm, complain } }: { readonly verb: Verb; readonly io: VerbIo },
): Promise<unknown> {
  if (!(error instanceof ApiError) || error.code !== confirmationCode) throw error;
  const confirmed = expectedIn(error.detail);
  if (confirm === undefined || Object.keys(confirmed).length === 0) throw error;
  complain(typedDetail(error.detail, verb));
  if (await confirm('Do it anyway? [y/N] ')) return ask(confirmed);
  throw new Error('Nothing was changed.');
}

const confirmationCode = 'CONFIRMATION_REQUIRED';

/** The members `expected_NAME=VALUE` that a refusal requires. */
const expectedPattern = /\b(expected_\w+)=(\S+)/g;

/** The refusal, with those members in the form for a shell. */
function typedDetail(detail: string, { confirmedBy }: Pick<Verb, 'confirmedBy'>): string {
  return detail.replaceAll(expectedPattern, (member: string, _name, value: string) => {
    if (confirmedBy !== undefined) return `--${confirmedBy} ${value}`;
    return value.startsWith('[') ? `'${member}'` : member;
  });
}

function expectedIn(detail: string): Expected {
  const found = detail.matchAll(expectedPattern);
  return Object.fromEntries(
    [...found].map(([, name, value]) => [
      name!,
      value!.startsWith('[') ? (JSON.parse(value!) as unknown) : value!,
    ]),
  );
}

function operatorOf(
  values: Readonly<Record<string, string | undefined>>,
  { environment, fetch: send }: VerbIo,
): Client['operator'] {
  // An empty variable counts as not set, as everywhere.
  const port = environment.EVERMARK_OPERATOR_PORT || '8081';
  const url =
    values['operator-url'] || environment.EVERMARK_OPERATOR_URL || `http://127.0.0.1:${port}`;
  const data = values.data || environment.EVERMARK_DATA || './data';
  const token = environment.EVERMARK_OPERATOR_TOKEN || tokenIn(data);
  const options = { baseUrl: url.replace(/\/+$/, ''), operatorToken: token };
  return createClient(send === undefined ? options : { ...options, fetch: send }).operator;
}

/** The token that the server keeps in its data directory. */
function tokenIn(directory: string): string {
  const path = join(directory, 'operator-token');
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    throw new Error(
      `There is no operator's token in ${path}; set EVERMARK_OPERATOR_TOKEN or give --data.`,
    );
  }
}

function messageOf(error: unknown, verb: Pick<Verb, 'confirmedBy'> = {}): string {
  // First what is wrong, for the person; then the code, for a search in the documents.
  if (error instanceof ApiError) {
    return `${typedDetail(error.detail, verb)} (${error.status} ${error.code})`;
  }
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  return error.message === 'fetch failed'
    ? unanswered(cause)
    : `${error.message}: ${cause.message}`;
}

const unanswered = ({ message }: Error): string =>
  `No answer came (${message}): look whether the exchange runs, and whether ` +
  '--operator-url or EVERMARK_OPERATOR_PORT is where its operator comes. If it broke off in ' +
  'between, what you asked may have been done; a credit may be repeated with its reference.';
