// Holds a message of a stream against the schemas that the document of the streams shows: every one
// that a test's reader is sent must be one of those of its protocol, to the last member.

import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { channelMessages } from '../../src/api/streams/channelMessages.ts';
import { streamAnswers, streamEvents } from '../../src/api/streams/streamEvents.ts';
import { userEvents } from '../../src/api/streams/userEvents.ts';
import type { Said } from './streamWorld.ts';

type Checked = {
  readonly name: string;
  readonly check: (message: unknown) => boolean;
  readonly errors: (message: unknown) => unknown;
};

/** Schemas by the word that distinguishes messages; empty where there is none. */
type Documented = ReadonlyMap<string, readonly Checked[]>;

function documented(
  tables: readonly Readonly<Record<string, TSchema>>[],
  word: string,
): Documented {
  const found = new Map<string, Checked[]>();
  for (const [name, schema] of tables.flatMap(Object.entries) as [string, TSchema][]) {
    const compiled = Compile(schema);
    const plain = schema as { properties?: Record<string, { const?: string }>; items?: unknown };
    const members = plain.properties ?? (plain.items as typeof plain | undefined)?.properties;
    const key = members?.[word]?.const ?? '';
    const checked = {
      name,
      check: (message: unknown) => compiled.Check(message),
      errors: (message: unknown) => [...compiled.Errors(message)].slice(0, 3),
    };
    found.set(key, [...(found.get(key) ?? []), checked]);
  }
  return found;
}

const native = documented([channelMessages], 'type');
const fapi = documented([streamEvents, userEvents, streamAnswers], 'e');

/** Throws a description of the defect. */
export function checkMessage(message: Said): void {
  if (typeof message.stream === 'string' && 'data' in message) return checkMessage(message.data);
  const isNative = typeof message.type === 'string';
  const first = Array.isArray(message) ? message[0] : message;
  const candidates =
    (isNative ? native : fapi).get(isNative ? message.type : (first.e ?? '')) ?? [];
  if (candidates.some(({ check }) => check(message))) return;
  const errors = candidates.map(({ name, errors }) => [name, errors(message)]);
  throw new Error(`no schema fits ${JSON.stringify(message)}: ${JSON.stringify(errors)}`);
}
