// The way of a request into a gateway without a socket: it makes what the framework would hand to a
// row's handler, and from there on everything is the gateway's own: addresses, authentication, limits,
// rows, answers. Not gone through: parsing of HTTP, the framework's own refusals.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Operation } from '../../src/api/operation.ts';
import { serverOf } from '../../src/gateway/createServer.ts';
import { refuseFapi } from '../../src/gateway/fapiRoute.ts';
import type { Gateway } from '../../src/gateway/gateway.ts';
import { refuseNative } from '../../src/gateway/nativeRoute.ts';
import { serveRow, unservedRow } from '../../src/gateway/servedRow.ts';
import type { Serve } from '../../src/gateway/visit.ts';
import type { Answer, Request } from './ports.ts';

/** Hands the request in; `onAnswer` is called at most once, now or in a later turn. */
export type Door = (request: Request, onAnswer: (answer: Answer) => void) => void;

type Route = { readonly serve: Serve; readonly params: Readonly<Record<string, string>> };

type Pattern = { readonly key: RegExp; readonly names: readonly string[]; readonly serve: Serve };

const refusal = { reason: 'pathUnknown' } as const;

/** A door to these rows. */
export function createDoor(gateway: Gateway, rows: readonly Operation[]): Door {
  const plain = new Map<string, Serve>();
  const patterns: Pattern[] = [];
  for (const row of rows) {
    const serve = serverOf(gateway, serveRow(row));
    if (row.path.includes(':')) patterns.push(patternOf(row, serve));
    else plain.set(`${row.method} ${row.path}`, serve);
  }
  const fapi = refuseFapi(gateway, unservedRow('fapi'), refusal);
  const native = refuseNative(gateway, unservedRow('native'), refusal);
  const find = (method: string, path: string): Route => {
    const serve = plain.get(`${method} ${path}`);
    if (serve !== undefined) return { serve, params: {} };
    for (const { key, names, serve: found } of patterns) {
      const match = key.exec(`${method} ${path}`);
      if (match === null) continue;
      const values = match.slice(1).map(decodeURIComponent);
      return {
        serve: found,
        params: Object.fromEntries(names.map((name, at) => [name, values[at]!])),
      };
    }
    return { serve: /^\/f(api|utures)\//.test(path) ? fapi : native, params: {} };
  };
  return (request, onAnswer) => {
    const [path = ''] = request.path.split('?', 1);
    const { serve, params } = find(request.method, path);
    serve(requestOf(request, params), replyOf(onAnswer));
  };
}

function patternOf({ method, path }: Operation, serve: Serve): Pattern {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
  return { key: new RegExp(`^${method} ${path.replaceAll(/:\w+/g, '([^/]+)')}$`), names, serve };
}

// The members that the gateway reads of the framework's request, and no others.
function requestOf(
  { method, path, headers, body, address }: Request,
  params: Readonly<Record<string, string>>,
): FastifyRequest {
  const raw = { headers, method, url: path, socket: { remoteAddress: address } };
  const request = { raw, params, body: body === '' ? undefined : Buffer.from(body) };
  return request as unknown as FastifyRequest;
}

function replyOf(onAnswer: (answer: Answer) => void): FastifyReply {
  let status = 0;
  const headers: Record<string, string> = {};
  const raw = {
    destroyed: false,
    headersSent: false,
    writeHead: (code: number, pairs: readonly string[]) => {
      raw.headersSent = true;
      status = code;
      for (let at = 0; at + 1 < pairs.length; at += 2) {
        headers[pairs[at]!.toLowerCase()] = pairs[at + 1]!;
      }
    },
    end: (text: string) => onAnswer({ status, text, headers }),
  };
  return { hijack: () => {}, raw } as unknown as FastifyReply;
}
