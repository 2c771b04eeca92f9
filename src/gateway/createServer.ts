// An HTTP listener over rows of the operations table: one route a row, nothing else. The framework
// parses HTTP and finds the route; bodies are kept raw, because signatures are over raw bytes.

import { type FastifyInstance, fastify } from 'fastify';
import type { Operation } from '../api/operation.ts';
import type { Refusal } from '../api/refusal.ts';
import { assert, Fault } from '../std/assert.ts';
import { refuseFapi, serveFapiPublic, serveFapiSigned } from './fapiRoute.ts';
import type { Gateway } from './gateway.ts';
import { refuseNative, serveNative, serveOperator, serveProbe } from './nativeRoute.ts';
import { refuseSocket } from './refuseSocket.ts';
import { type ServedRow, serveRow, unservedRow } from './servedRow.ts';
import { asksForSocket } from './sockets/serveSockets.ts';
import type { Serve } from './visit.ts';

/** The largest body that is read, in bytes. */
export const bodyBytesMax = 1024 * 1024;
const headersTimeoutMs = 10_000;
const requestTimeoutMs = 15_000;
const keepAliveTimeoutMs = 75_000;
const headerBytesMax = 16 * 1024;
const socketsPerServerMax = 20_000;

/** A server that is not yet listening, with these rows. Throws when two rows share a path. */
export function createServer(gateway: Gateway, rows: readonly Operation[]): FastifyInstance {
  const refuse = createRefuse(gateway);
  const app: FastifyInstance = fastify({
    bodyLimit: bodyBytesMax,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    // No schema is given to the framework, so its compilers need not even be loaded.
    schemaController: {
      compilersFactory: { buildValidator: refuseSchema, buildSerializer: refuseSchema },
    },
    routerOptions: { caseSensitive: true, querystringParser: () => ({}) },
    http: {
      maxHeaderSize: headerBytesMax,
      headersTimeout: headersTimeoutMs,
      requireHostHeader: false,
      shouldUpgradeCallback: (request) =>
        asksForSocket(request) && app.server.listenerCount('upgrade') > 0,
    },
    clientErrorHandler: (error, socket) => refuseSocket(gateway.clock, error.code, socket),
    frameworkErrors: (error, request, reply) => {
      refuse(refusalOfError(gateway, error))(request, reply);
    },
  });
  app.server.maxConnections = socketsPerServerMax;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
  app.setErrorHandler((error, request, reply) => {
    // What is left of the body is not worth reading.
    reply.raw.shouldKeepAlive = false;
    refuse(refusalOfError(gateway, error))(request, reply);
  });
  app.setNotFoundHandler(refuse({ reason: 'pathUnknown' }));
  for (const row of rows) addRow(app, gateway, row);
  return app;
}

function refuseSchema(): never {
  throw new Fault('schemas are read and written by us, not by the framework');
}

function addRow(app: FastifyInstance, gateway: Gateway, row: Operation): void {
  app.route({ method: row.method, url: row.path, handler: serverOf(gateway, serveRow(row)) });
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

function isFapiPath(url: string): boolean {
  return /^\/(?:fapi|futures)(?:[/?]|$)/.test(url);
}

/** Refuses in the form of the surface that the path belongs to. */
function createRefuse(gateway: Gateway): (refusal: Refusal) => Serve {
  const fapi = unservedRow('fapi');
  const native = unservedRow('native');
  return (refusal) => {
    const refuseOnFapi = refuseFapi(gateway, fapi, refusal);
    const refuseOnNative = refuseNative(gateway, native, refusal);
    return (request, reply) => {
      if (isFapiPath(request.raw.url ?? '')) refuseOnFapi(request, reply);
      else refuseOnNative(request, reply);
    };
  };
}

/**
 * What the framework itself refuses: a body that is too large or cut short, a path with a bad
 * escape, a content type that is none. It is the client's doing, so never a 5xx. What the client
 * did not cause is a fault.
 */
function refusalOfError(gateway: Gateway, error: unknown): Refusal {
  const { code } = error as { readonly code?: unknown };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return { reason: 'bodyTooLarge' };
  const framework = typeof code === 'string' && code.startsWith('FST_ERR_');
  // ECONNRESET: the client went away in the middle of its body.
  if (framework || code === 'ECONNRESET') return { reason: 'requestMalformed' };
  gateway.onFault(error, 'http');
  return { reason: 'internal' };
}
