// The committed OpenAPI document follows from the current operations table and is complete.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openApi } from '../../src/api/openApi.ts';
import {
  nativeOperations,
  operations,
  operatorOperations,
  probeOperations,
} from '../../src/api/operations.ts';
import { readExamples } from '../../src/bin/readExamples.ts';

test('docs/api/openapi.json is fresh; `scripts/openApi.ts` writes it', () => {
  const path = join(import.meta.dirname, '../../docs/api/openapi.json');
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(
    JSON.parse(JSON.stringify(openApi(operations, 'v1', readExamples()))),
  );
});

test('every row has its own name and path and is listed under that name', () => {
  const names = operations.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const places = operations.map(({ method, path }) => `${method} ${path.replace(/:\w+/g, ':')}`);
  expect(new Set(places).size).toBe(places.length);
  for (const table of [nativeOperations, operatorOperations, probeOperations]) {
    for (const [name, row] of Object.entries(table)) expect(row.name).toBe(name);
  }
  for (const { name, path, parameters } of operations) {
    for (const [, inPath] of path.matchAll(/:(\w+)/g)) {
      expect(Object.keys(parameters.properties), name).toContain(inPath);
    }
  }
});

test('the document has every row and its parameters, but no reader of parameters', () => {
  const document = openApi(operations, 'v1');
  const ids = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  expect(ids.sort()).toEqual(operations.map(({ name }) => name).sort());
  expect(JSON.stringify(document)).not.toContain('x-reading');
  expect(document.paths['/api/v1/orders/{id}']?.delete).toMatchObject({
    operationId: 'cancelNativeOrder',
    security: [{ token: [] }],
    parameters: [{ name: 'id', in: 'path', required: true }],
  });
  const { parameters = [] } = document.paths['/fapi/v1/order']?.post ?? {};
  const required = parameters.filter((each) => each.required).map(({ name }) => name);
  expect(required).toEqual(['timestamp', 'signature']);
});

const signing = new Set(['timestamp', 'signature']);

test('AUTH-3 FAPI accepts body parameters in the query too, and the document has both', () => {
  const { paths } = openApi(operations, 'v1');
  for (const { surface, method, path, name, parameters } of operations) {
    if (surface !== 'fapi' || (method !== 'POST' && method !== 'PUT')) continue;
    const operation = paths[path]![method.toLowerCase()]!;
    const inQuery = operation.parameters.filter((each) => each.in === 'query');
    const names = inQuery.map((each) => each.name).filter((each) => !signing.has(each));
    expect(names, name).toEqual(Object.keys(parameters.properties));
    if (names.length === 0) continue;
    const { content, 'x-required': needed } = operation.requestBody!;
    for (const { schema } of Object.values(content)) {
      expect(Object.keys(schema.properties), name).toEqual(names);
    }
    expect(Object.keys(content)).toEqual(['application/json', 'application/x-www-form-urlencoded']);
    expect(needed, name).toEqual(parameters.required ?? []);
  }
});

test('the document names its servers and its licence, and describes numbers as numbers', () => {
  const { info, servers, paths } = openApi(operations, 'v1');
  const { license } = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'),
  ) as { readonly license: string };
  expect(info.license.name).toContain(license);
  // An expression of SPDX, as OpenAPI 3.1 wants it.
  expect(info.license.identifier).toMatch(/^LicenseRef-[A-Za-z0-9.-]+$/);
  expect(servers.map(({ url }) => url)).toContain('/');
  expect(paths['/operator/markets']!.get!.servers).toHaveLength(1);
  for (const path of ['/fapi/v1/depth', '/api/v1/depth/{symbol}']) {
    const limit = paths[path]!.get!.parameters.find(({ name }) => name === 'limit');
    const values = [5, 10, 20, 50, 100, 500, 1000];
    expect(limit?.schema).toEqual({ type: 'integer', enum: values });
  }
});

/** Every schema inside this one, and it. */
function* schemasIn(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Record<string, unknown>;
  for (const member of Object.values(value)) yield* schemasIn(member);
}

test('every answer is fully described: objects are closed, strings have a description', () => {
  // The documents themselves are the only answers that are described elsewhere.
  const documents = ['getOpenApi', 'getAsyncApi'];
  const described = operations.filter(({ name }) => !documents.includes(name));
  for (const { name, response } of described) {
    for (const schema of schemasIn(JSON.parse(JSON.stringify(response)))) {
      if (schema.type === 'object') expect(schema.additionalProperties, name).toBe(false);
      if (schema.type !== 'string') continue;
      const says = ['pattern', 'format', 'enum', 'const', 'description'];
      expect(
        says.some((word) => word in schema),
        `${name}: ${JSON.stringify(schema)}`,
      ).toBe(true);
    }
  }
});

test('every reference of the document has a target, and every name is used', () => {
  const { components, ...rest } = openApi(operations, 'v1');
  const path = '#/components/schemas/';
  const referred = new Set<string>();
  for (const { $ref } of [...schemasIn(rest), ...schemasIn(components)]) {
    if ($ref !== undefined) referred.add(String($ref));
  }
  expect([...referred].sort()).toEqual(
    Object.keys(components.schemas)
      .map((name) => path + name)
      .sort(),
  );
});

test('every operation lists its failures, with status and codes', () => {
  const { paths } = openApi(operations, 'v1');
  for (const { method, path, surface, name } of operations) {
    const place = path.replace(/:(\w+)/g, '{$1}');
    const { responses } = paths[place]![method.toLowerCase()]!;
    const statuses = Object.keys(responses);
    expect(statuses, name).toContain('500');
    if (surface === 'fapi' || surface === 'native') expect(statuses, name).toContain('429');
    for (const [status, { description }] of Object.entries(responses)) {
      if (Number(status) >= 400) expect(description, name).toMatch(/^(-\d+|[A-Z_]+)[ :]/);
    }
  }
});
