// The handlers that serve requests: one for each row of the operations table, and those that
// refuse. They do not depend on which thread read the request from its socket.

import type { Operation } from '../api/operation.ts';
import type { Refusal } from '../api/refusal.ts';
import { createFapiHandler, createFapiRefusal } from './createFapiHandler.ts';
import {
  createNativeHandler,
  createNativeRefusal,
  createOperatorHandler,
  createOperatorRefusal,
  createProbeHandler,
} from './createNativeHandler.ts';
import { endpointOf, unservedRow } from './endpoint.ts';
import { isFapiPath } from './fapiPath.ts';
import type { Gateway } from './gateway.ts';
import type { Handlers } from './handlers.ts';
import type { Handler } from './incomingRequest.ts';

export function createHandlers(gateway: Gateway, rows: readonly Operation[]): Handlers {
  const { clock, onFault } = gateway;
  const operators = rows.some(({ surface }) => surface === 'operator');
  const refusalOf = operators ? operatorRefusals(gateway) : clientRefusals(gateway);
  return {
    clock,
    onFault,
    byRoute: rows.map((row) => handlerOf(gateway, row)),
    refusals: {
      pathUnknown: refusalOf({ reason: 'pathUnknown' }),
      requestMalformed: refusalOf({ reason: 'requestMalformed' }),
      internal: refusalOf({ reason: 'internal' }),
    },
  };
}

function handlerOf(gateway: Gateway, row: Operation): Handler {
  const endpoint = endpointOf(row);
  switch (row.surface) {
    case 'fapi':
      return createFapiHandler(gateway, endpoint);
    case 'native':
      return createNativeHandler(gateway, endpoint);
    case 'operator':
      return createOperatorHandler(gateway, endpoint);
    case 'probe':
      return createProbeHandler(gateway, endpoint);
  }
}

/** Without the token, the operator's listener does not show which paths it has (OPS-1). */
function operatorRefusals(gateway: Gateway): (refusal: Refusal) => Handler {
  const row = unservedRow('operator');
  return (refusal) => createOperatorRefusal(gateway, row, refusal);
}

/** Refuses in the form of the surface that the path belongs to. */
function clientRefusals(gateway: Gateway): (refusal: Refusal) => Handler {
  const fapi = unservedRow('fapi');
  const native = unservedRow('native');
  return (refusal) => {
    const fapiRefusal = createFapiRefusal(gateway, fapi, refusal);
    const nativeRefusal = createNativeRefusal(gateway, native, refusal);
    return (incoming, responder) => {
      if (isFapiPath(incoming.target)) fapiRefusal(incoming, responder);
      else nativeRefusal(incoming, responder);
    };
  };
}
