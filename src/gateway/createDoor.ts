// The door behind which requests are served: by their rows of the operations table, or refused. Who
// read them from a socket makes no difference.

import type { Operation } from '../api/operation.ts';
import type { Refusal } from '../api/refusal.ts';
import { assert } from '../std/assert.ts';
import type { Serve } from './arrival.ts';
import type { Door } from './door.ts';
import { isFapiPath } from './fapiPath.ts';
import { refuseFapi, serveFapiPublic, serveFapiSigned } from './fapiRoute.ts';
import type { Gateway } from './gateway.ts';
import {
  refuseOperator,
  refuseUnserved,
  serveNative,
  serveOperator,
  serveProbe,
} from './nativeRoute.ts';
import { type ServedRow, serveRow, unservedRow } from './servedRow.ts';

export function createDoor(gateway: Gateway, rows: readonly Operation[]): Door {
  const { clock, onFault } = gateway;
  const operators = rows.some(({ surface }) => surface === 'operator');
  const refuse = operators ? createOperatorRefuse(gateway) : createRefuse(gateway);
  return {
    clock,
    onFault,
    serves: rows.map((row) => serverOf(gateway, serveRow(row))),
    refuses: {
      pathUnknown: refuse({ reason: 'pathUnknown' }),
      requestMalformed: refuse({ reason: 'requestMalformed' }),
      internal: refuse({ reason: 'internal' }),
    },
  };
}

function serverOf(gateway: Gateway, served: ServedRow): Serve {
  const { surface, auth } = served.row;
  switch (surface) {
    case 'fapi':
      assert(['none', 'key', 'keyOnly'].includes(auth), 'FAPI is public or asks for a key');
      return auth === 'none' ? serveFapiPublic(gateway, served) : serveFapiSigned(gateway, served);
    case 'native':
      assert(/^(none|jwt)/.test(auth), 'no API key opens a native route (AUTH-5)');
      return serveNative(gateway, served);
    case 'operator':
      assert(auth === 'operator', 'the operator always shows a token');
      return serveOperator(gateway, served);
    case 'probe':
      assert(auth === 'none', 'probes are open');
      return serveProbe(gateway, served);
  }
}

/** The operator's listener tells nobody else which paths it has (OPS-1). */
function createOperatorRefuse(gateway: Gateway): (refusal: Refusal) => Serve {
  const row = unservedRow('operator');
  return (refusal) => refuseOperator(gateway, row, refusal);
}

/** Refuses in the form of the surface that the path belongs to. */
function createRefuse(gateway: Gateway): (refusal: Refusal) => Serve {
  const fapi = unservedRow('fapi');
  const native = unservedRow('native');
  return (refusal) => {
    const refuseOnFapi = refuseFapi(gateway, fapi, refusal);
    const refuseOnNative = refuseUnserved(gateway, native, refusal);
    return (arrival, exit) => {
      if (isFapiPath(arrival.target)) refuseOnFapi(arrival, exit);
      else refuseOnNative(arrival, exit);
    };
  };
}
