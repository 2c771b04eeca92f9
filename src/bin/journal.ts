// Where the running program says what its operator should know: lines of JSON on standard error.

import { destination, pino } from 'pino';
import type { LogLevel } from '../config.ts';

/** Sentences without secrets. */
export type Journal = {
  readonly info: (message: string) => void;
  readonly warn: (message: string) => void;
  readonly error: (message: string) => void;
};

/** Lines are written before the call returns, so that the last words of a process are not lost. */
export function createJournal(level: LogLevel): Journal {
  const logger = pino({ level, base: null }, destination({ fd: 2, sync: true }));
  return {
    info: (message) => logger.info(message),
    warn: (message) => logger.warn(message),
    error: (message) => logger.error(message),
  };
}
