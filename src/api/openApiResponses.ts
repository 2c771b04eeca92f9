// The answers of one operation, for the OpenAPI document: the success, and for each status of a
// failure its codes (errors/failuresOf.ts).

import { must } from '../std/assert.ts';
import { type FailureReason, failuresOf, wireErrorOf } from './errors/failuresOf.ts';
import type { ApiExample } from './examples.ts';
import type { Operation } from './operation.ts';
import { plainSchema } from './plainSchema.ts';

export type OpenApiResponse = {
  readonly description: string;
  readonly content?: Readonly<Record<string, { readonly schema: unknown; example?: unknown }>>;
};

export type OpenApiResponses = Readonly<Record<string, OpenApiResponse>>;

const text = { type: 'string' } as const;

function closed(properties: Readonly<Record<string, unknown>>, description: string) {
  const required = Object.keys(properties);
  return { type: 'object', required, properties, additionalProperties: false, description };
}

const nativeMembers = {
  success: { const: false },
  data: { type: 'null' },
  error: closed({ code: text, message: text }, 'The code is for programs, the message for people.'),
  timestamp: { type: 'integer', minimum: 0, description: 'Seconds.' },
};

/** The forms of a failure; each operation narrows the codes. */
export const failureSchemas = {
  FapiError: closed({ code: { type: 'integer' }, msg: text }, 'A failure of the futures API.'),
  FapiAuthError: closed(
    { code: { type: 'integer' }, msg: text, ...nativeMembers },
    'The same where authentication failed (AUTH-2).',
  ),
  NativeError: {
    ...closed(nativeMembers, 'A failure of every other surface (AUTH-6, OPS-1).'),
    // A path that is not served also answers `code` and `msg`.
    properties: { ...nativeMembers, code: { type: 'integer' }, msg: text },
  },
};

/** One code of a status, and its reasons. */
type Code = {
  readonly code: number | string;
  readonly envelope?: string | undefined;
  readonly reasons: FailureReason[];
};

/** By status, in ascending order. */
function codesByStatus(row: Operation): ReadonlyMap<number, readonly Code[]> {
  const found = new Map<number, Map<string, Code>>();
  for (const reason of failuresOf(row)) {
    const errors = wireErrorOf(reason);
    const { status, code } = row.surface === 'fapi' ? errors.fapi : errors.native;
    const envelope = row.surface === 'fapi' ? errors.fapi.envelope : undefined;
    const codes = found.get(status) ?? new Map<string, Code>();
    const key = `${code} ${envelope}`;
    const known = codes.get(key) ?? { code, envelope, reasons: [] };
    known.reasons.push(reason);
    codes.set(key, known);
    found.set(status, codes);
  }
  const statuses = [...found.keys()].sort((a, b) => a - b);
  return new Map(statuses.map((status) => [status, [...found.get(status)!.values()]]));
}

/** The responses of a row by status. The status of the example contains the example. */
export function openApiResponses(
  row: Operation,
  example: ApiExample | undefined,
): OpenApiResponses {
  const responses: Record<string, OpenApiResponse> = successOf(row);
  for (const [status, codes] of codesByStatus(row)) {
    const texts = codes.map(({ code, envelope, reasons }) => {
      const shown = envelope === undefined ? `${code}` : `${code} ${envelope}`;
      return `${shown}: ${reasons.join(', ')}`;
    });
    responses[status] = {
      description: `${texts.join('; ')}.`,
      content: { 'application/json': { schema: failureSchemaOf(row, codes) } },
    };
  }
  if (example?.answer === undefined) return responses;
  const { status, answer } = example;
  const shown = must(responses[status], 'an example has a documented status');
  const content = Object.entries(shown.content ?? {}).map(([media, { schema }]) => [
    media,
    { schema, example: answer },
  ]);
  return { ...responses, [status]: { ...shown, content: Object.fromEntries(content) } };
}

/** The content type of a text that is neither JSON nor plain. */
type Media = { readonly type?: string; readonly contentMediaType?: string };

function successOf({ response, document }: Operation): Record<string, OpenApiResponse> {
  const { type, contentMediaType } = response as Media;
  if (type === 'null') return { 204: { description: 'Done; no content.' } };
  const media = contentMediaType ?? (type === 'string' ? 'text/plain' : 'application/json');
  const content = { [media]: { schema: plainSchema(response) } };
  const success = { 200: { description: 'Success.', content } };
  if (document !== true) return success;
  return { ...success, 304: { description: 'The client has it already (If-None-Match).' } };
}

function failureSchemaOf({ surface }: Operation, codes: readonly Code[]): unknown {
  const words = (some: readonly Code[]) => ({ enum: [...new Set(some.map(({ code }) => code))] });
  if (surface !== 'fapi') {
    // Named again, because linters judge an example by these properties alone.
    const error = { properties: { code: words(codes), message: { type: 'string' } } };
    return narrowed('NativeError', { error });
  }
  const bare = codes.filter(({ envelope }) => envelope === undefined);
  const enveloped = codes.filter(({ envelope }) => envelope !== undefined);
  const forms: unknown[] = [];
  if (bare.length > 0) forms.push(narrowed('FapiError', { code: words(bare) }));
  if (enveloped.length > 0) {
    const error = { properties: { code: { enum: enveloped.map(({ envelope }) => envelope) } } };
    forms.push(narrowed('FapiAuthError', { code: words(enveloped), error }));
  }
  return forms.length === 1 ? forms[0] : { anyOf: forms };
}

function narrowed(name: keyof typeof failureSchemas, properties: object): unknown {
  return { allOf: [{ $ref: `#/components/schemas/${name}` }], properties };
}
