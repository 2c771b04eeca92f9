// The examples of the documentation: a request and its answer for each operation, from the session
// of a test (docs/api/examples.json, which that test keeps fresh).

export type ApiExample = {
  readonly request: {
    readonly method: string;
    /** Path and query. */
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
  };
  readonly status: number;
  /** Absent where the answer is not JSON. */
  readonly answer?: unknown;
};

/** By name of the operation. */
export type ApiExamples = Readonly<Record<string, ApiExample>>;
