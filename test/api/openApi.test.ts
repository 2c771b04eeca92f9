// The committed OpenAPI document is what the operations table gives now, and says enough.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openApi } from '../../src/api/openApi.ts';
import {
  documentedOperations,
  nativeOperations,
  operations,
  operatorOperations,
  probeOperations,
} from '../../src/api/operations.ts';

test('docs/api/openapi.json is fresh; `scripts/openApi.ts` writes it', () => {
  const path = join(import.meta.dirname, '../../docs/api/openapi.json');
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(
    JSON.parse(JSON.stringify(openApi(documentedOperations, 'v1'))),
  );
});

test('every row has a name and a place of its own and is listed under that name', () => {
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

test('the document has every row, its parameters and nothing of how they are read', () => {
  const document = openApi(documentedOperations, 'v1');
  const ids = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  expect(ids.sort()).toEqual(documentedOperations.map(({ name }) => name).sort());
  expect(JSON.stringify(document)).not.toContain('x-reading');
  expect(document.paths['/api/v1/orders/{id}']?.delete).toMatchObject({
    operationId: 'cancelNativeOrder',
    security: [{ token: [] }],
    parameters: [{ name: 'id', in: 'path', required: true }],
  });
  expect(document.paths['/fapi/v1/order']?.post?.parameters.map(({ name }) => name)).toEqual([
    'timestamp',
    'signature',
    'Idempotency-Key',
  ]);
});
