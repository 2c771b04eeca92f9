// What the running program reports to its operator: lines of JSON on standard error, without
// secrets (redact.ts).

import { destination, pino, stdTimeFunctions } from 'pino';
import type { Act } from '../api/operator/recordActs.ts';
import type { LogLevel } from '../config.ts';
import type { Served } from '../gateway/gateway.ts';
import { systemClock } from '../std/clock.ts';
import { redactSecrets, redactTarget } from './redact.ts';

export type Journal = {
  readonly info: (message: string) => void;
  readonly warn: (message: string) => void;
  readonly error: (message: string) => void;
  /** The last line of the process: written at every level. */
  readonly fatal: (message: string) => void;
  /** An action of the operator, done or refused. */
  readonly act: (act: Act) => void;
  /** An answer, at the level debug; with the request's address at trace. */
  readonly served: (served: Served) => void;
  /** From now on this text is never written. */
  readonly keepSecret: (secret: string) => void;
};

/** Where bytes go: standard error, unless a test replaces it. */
type Out = { readonly write: (line: string) => void };

/** Lines are written before the call returns, so that the last lines of a process are not lost. */
export function createJournal(
  level: LogLevel,
  out: Out = destination({ fd: 2, sync: true }),
): Journal {
  const logger = pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    out,
  );
  const secrets = new Set<string>();
  const clean = (message: string): string => redactSecrets(message, secrets);
  const asked = logger.isLevelEnabled('trace');
  const answered = logger.isLevelEnabled('debug');
  return {
    info: (message) => logger.info(clean(message)),
    warn: (message) => logger.warn(clean(message)),
    error: (message) => logger.error(clean(message)),
    fatal: (message) => {
      const time = new Date(systemClock.now()).toISOString();
      const line = JSON.stringify({ level: 'fatal', time, msg: clean(message) });
      out.write(`${line}\n`);
    },
    act: (act) => {
      const reported = JSON.parse(clean(JSON.stringify(act))) as Act;
      const how = act.refused === undefined ? '' : ', refused';
      logger.info(reported, `the operator: ${act.act}${how}`);
    },
    served: ({ operation, status, milliseconds, method, target }) => {
      if (!answered) return;
      const fields = { operation, status, milliseconds };
      if (asked) logger.trace({ ...fields, target: redactTarget(clean(`${method} ${target}`)) });
      else logger.debug(fields);
    },
    keepSecret: (secret) => {
      // In plain form, and as a URL encodes it.
      secrets.add(secret);
      secrets.add(encodeURIComponent(secret));
    },
  };
}
