// A row of the operations table made ready to be served, by whatever door; and the row that stands
// for what no row gets.

import { Type } from 'typebox';
import { defineQuery, type Operation, type Surface } from '../api/operation.ts';
import { readingOf } from '../api/parameterSchema.ts';
import { createParameterReader, type ParameterReader } from '../api/readParameters.ts';

export type ServedRow = {
  readonly row: Operation;
  readonly reader: ParameterReader<Record<string, unknown>>;
  /** The name of the list that a bare JSON array as body is. */
  readonly bodyList: string | undefined;
};

export function serveRow(row: Operation): ServedRow {
  const reader = createParameterReader(row.parameters, row.requires?.bind(row));
  return { row, reader, bodyList: bodyListOf(row) };
}

function bodyListOf(row: Operation): string | undefined {
  for (const [name, schema] of Object.entries(row.parameters.properties)) {
    const reading = readingOf(schema);
    if (reading?.read === 'list' && reading.body) return name.toLowerCase();
  }
  return undefined;
}

/** A row that stands for every request of a surface that no row gets; it is never performed. */
export function unservedRow(surface: Surface): Operation {
  return defineQuery({
    name: `${surface}Unserved`,
    surface,
    method: 'GET',
    path: '*',
    auth: 'none',
    weight: 1,
    summary: 'Any request that no operation gets.',
    parameters: Type.Object({}),
    response: Type.Object({}),
    query: () => ({ reason: 'pathUnknown' }),
  });
}
