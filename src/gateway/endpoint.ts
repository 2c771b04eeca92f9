// A row of the operations table with the reader of its parameters, ready to serve requests; and the
// row for requests that no operation serves.

import { Type } from 'typebox';
import { defineQuery, type Operation, type Surface } from '../api/operation.ts';
import { readingOf } from '../api/parameterSchema.ts';
import { createParameterReader, type ParameterReader } from '../api/readParameters.ts';

export type Endpoint = {
  readonly row: Operation;
  readonly reader: ParameterReader<Record<string, unknown>>;
  /** The name of the list parameter that a bare JSON array in the body gives. */
  readonly bodyList: string | undefined;
};

export function endpointOf(row: Operation): Endpoint {
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

/** The row for all requests of a surface that no operation serves. It is never performed. */
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
