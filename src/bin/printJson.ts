// The output of a subcommand for people and programs: JSON with one member a line.

import type { VerbIo } from './operatorVerb.ts';

/** Prints the value; sums beyond 2^53 become text. */
export function printJson(io: VerbIo, value: unknown): void {
  io.print(JSON.stringify(value, (_, member) => wire(member), 2));
}

const wire = (member: unknown): unknown => (typeof member === 'bigint' ? `${member}` : member);
