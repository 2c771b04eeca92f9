// The OpenAPI document of the operations table. It is data made of data: nothing here knows an
// operation. The page that shows it is documentationPage.ts.

import type { TObject, TSchema } from 'typebox';
import type { Operation, Surface } from './operation.ts';

export type OpenApi = {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: Surface; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: unknown;
};

export type OpenApiParameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: unknown;
};

export type OpenApiOperation = {
  readonly operationId: string;
  readonly tags: readonly Surface[];
  readonly summary: string;
  readonly description: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly OpenApiParameter[];
  readonly requestBody?: unknown;
  readonly responses: unknown;
};

const tags = [
  { name: 'fapi', description: 'Futures-compatible API: signed with an API key.' },
  { name: 'native', description: 'Native API: JSON bodies, bearer token of a login.' },
  {
    name: 'operator',
    description: "Operator surface, on a listener of its own: operator's token.",
  },
  { name: 'probe', description: 'Probes and this documentation: open.' },
] as const;

const security = {
  none: [],
  key: [{ apiKey: [] }],
  keyOnly: [{ apiKey: [] }],
  jwt: [{ token: [] }],
  jwtOptional: [{}, { token: [] }],
  operator: [{ operatorToken: [] }],
} as const satisfies Record<Operation['auth'], unknown>;

const envelope = {
  type: 'object',
  required: ['success', 'data', 'error', 'timestamp'],
  properties: {
    success: { const: false },
    data: { type: 'null' },
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: { code: { type: 'string' }, message: { type: 'string' } },
    },
    timestamp: { type: 'integer', description: 'Seconds.' },
  },
};

const components = {
  securitySchemes: {
    apiKey: { type: 'apiKey', in: 'header', name: 'X-MBX-APIKEY' },
    token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
    operatorToken: { type: 'http', scheme: 'bearer' },
  },
  schemas: {
    fapiError: {
      type: 'object',
      required: ['code', 'msg'],
      properties: { code: { type: 'integer' }, msg: { type: 'string' } },
      description: 'Authentication failures carry the members of nativeError besides.',
    },
    nativeError: envelope,
  },
};

const description =
  'A perpetual-futures exchange that settles in USDT. Decimals are strings, times milliseconds.';

/** The document of these rows, in their order. */
export function openApi(rows: readonly Operation[], version: string): OpenApi {
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const row of rows) {
    const path = row.path.replace(/:(\w+)/g, '{$1}');
    const methods = paths[path] ?? {};
    methods[row.method.toLowerCase()] = operationOf(row);
    paths[path] = methods;
  }
  const info = { title: 'Evermark', version, description };
  return { openapi: '3.1.0', info, tags, paths, components };
}

function operationOf(row: Operation): OpenApiOperation {
  const inPath = new Set(Array.from(row.path.matchAll(/:(\w+)/g), ([, name]) => name));
  const inQuery = row.method === 'GET' || row.method === 'DELETE';
  const required = new Set<string>(row.parameters.required ?? []);
  const parameters: OpenApiParameter[] = [];
  const body: [string, TSchema][] = [];
  for (const [name, schema] of Object.entries(row.parameters.properties)) {
    if (!inPath.has(name) && !inQuery) {
      body.push([name, schema]);
      continue;
    }
    const place = inPath.has(name) ? 'path' : 'query';
    const { description: text, ...plain } = plainSchema(schema) as { description?: string };
    const note = text === undefined ? {} : { description: text };
    parameters.push({ name, in: place, required: required.has(name), ...note, schema: plain });
  }
  if (row.auth === 'key') parameters.push(...signatureParameters);
  if (row.idempotent === true) parameters.push(idempotencyParameter);
  return {
    operationId: row.name,
    tags: [row.surface],
    summary: row.summary,
    description: noteOf(row),
    security: security[row.auth],
    parameters,
    ...(body.length === 0 ? {} : { requestBody: bodyOf(body, required) }),
    responses: responsesOf(row),
  };
}

const signatureParameters: readonly OpenApiParameter[] = [
  { name: 'timestamp', in: 'query', required: true, schema: { type: 'integer' } },
  { name: 'signature', in: 'query', required: true, schema: { type: 'string' } },
];

const idempotencyParameter: OpenApiParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string' },
};

function noteOf({ surface, weight, countsAsOrder }: Operation): string {
  if (surface !== 'fapi') return countsAsOrder === true ? 'Counts as an order.' : '';
  const text = typeof weight === 'number' ? String(weight) : 'depends on the parameters';
  return `Weight: ${text}.${countsAsOrder === true ? ' Counts as an order.' : ''}`;
}

function bodyOf(members: readonly [string, TSchema][], required: ReadonlySet<string>): unknown {
  const schema = {
    type: 'object',
    required: members.map(([name]) => name).filter((name) => required.has(name)),
    properties: Object.fromEntries(members.map(([name, each]) => [name, plainSchema(each)])),
  };
  return { required: schema.required.length > 0, content: { 'application/json': { schema } } };
}

function responsesOf({ surface, response }: Operation): unknown {
  const name = surface === 'fapi' ? 'fapiError' : 'nativeError';
  const failure = { schema: { $ref: `#/components/schemas/${name}` } };
  const failed = {
    description: 'Refused or rejected; nothing has changed.',
    content: { 'application/json': failure },
  };
  const type = (response as { readonly type?: unknown }).type;
  if (type === 'null') return { 204: { description: 'Done; no content.' }, default: failed };
  const media = type === 'string' ? 'text/plain' : 'application/json';
  const content = { [media]: { schema: plainSchema(response) } };
  return { 200: { description: 'Success.', content }, default: failed };
}

/** The schema as plain JSON, without what only the reader of parameters needs. */
function plainSchema(schema: TSchema | TObject): unknown {
  return JSON.parse(
    JSON.stringify(schema, (name, value: unknown) => (name === 'x-reading' ? undefined : value)),
  );
}
