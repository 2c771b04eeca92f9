// One way to get one code of the interface's error tables.

import type { ErrorWorld, Reply } from './errorWorld.ts';

export type ErrorCase = {
  /** The defect of the request that is sent last. */
  readonly when: string;
  readonly status: number;
  /** `msg` on FAPI, the envelope's message elsewhere. */
  readonly text: string;
  /** Sets the stage and sends the request that is to fail. */
  readonly ask: (world: ErrorWorld) => Promise<Reply>;
};

export type ErrorCases<Code extends string | number> = Readonly<
  Record<Code, readonly [ErrorCase, ...ErrorCase[]]>
>;
