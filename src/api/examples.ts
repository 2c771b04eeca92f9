// The examples of the documentation: for each operation a request and what it was answered, as a
// session in a test went (docs/api/examples.json, which that test keeps fresh).

export type ApiExample = {
  readonly request: {
    readonly method: string;
    /** Path and query. */
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
  };
  readonly status: number;
  /** Absent where the answer is no JSON. */
  readonly answer?: unknown;
};

/** By the names of the operations. */
export type ApiExamples = Readonly<Record<string, ApiExample>>;
