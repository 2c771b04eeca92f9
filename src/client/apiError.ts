// The error of a client's call when the exchange answers anything but a success.

/** A refusal or rejection as the wire carried it. */
export class ApiError extends Error {
  override name = 'ApiError';
  /** The operation's name in the table. */
  readonly operation: string;
  /** The HTTP status; 0 when a stream refused. */
  readonly status: number;
  /** A negative number on FAPI, a word elsewhere and on FAPI's authentication failures. */
  readonly code: number | string;
  /** The exchange's own description of the error. */
  readonly detail: string;
  /** The body as it was received. */
  readonly body: string;

  constructor(failure: { operation: string; status: number; body: string }) {
    const { code, message } = readFailure(failure.body);
    super(`${failure.operation}: ${failure.status} ${code}: ${message}`);
    this.operation = failure.operation;
    this.status = failure.status;
    this.code = code;
    this.detail = message;
    this.body = failure.body;
  }
}

/** Code and text of any of the three error envelopes. */
function readFailure(body: string): { code: number | string; message: string } {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return { code: 'UNREADABLE', message: body.slice(0, 200) };
  }
  const failure = (parsed ?? {}) as {
    readonly code?: number | string;
    readonly msg?: string;
    readonly error?: { readonly code?: string; readonly message?: string };
  };
  const { code = 'UNREADABLE', message = body.slice(0, 200) } = failure.error ?? {
    code: failure.code,
    message: failure.msg,
  };
  return { code, message };
}
