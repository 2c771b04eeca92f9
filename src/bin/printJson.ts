// What a subcommand prints for a person and for a program: JSON with one member a line.

import type { VerbIo } from './operatorVerb.ts';

/** Prints the value; sums beyond 2^53 as text. */
export function printJson(io: VerbIo, value: unknown): void {
  io.print(JSON.stringify(value, (_, member) => wire(member), 2));
}

const wire = (member: unknown): unknown => (typeof member === 'bigint' ? `${member}` : member);
