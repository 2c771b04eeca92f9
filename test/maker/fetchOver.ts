// The platform's fetch over a function that answers, for a client that is tested without a socket.
// Between request and answer there are only promises, so that virtual time can settle them.

export type FakeAnswer = {
  readonly status: number;
  readonly body: unknown;
  readonly ordersPer10s?: number;
};

export type FakeParameters = Readonly<Record<string, unknown>>;

/** `answer` gets the parameters wherever they were sent, without timestamp and signature. */
export function fetchOver(
  answer: (method: string, path: string, parameters: FakeParameters) => Promise<FakeAnswer>,
): typeof fetch {
  return async (input, { method = 'GET', body: sent } = {}) => {
    const url = new URL(String(input));
    for (const name of ['timestamp', 'signature']) url.searchParams.delete(name);
    const query = [...url.searchParams].map(([name, text]) => [
      name,
      text.startsWith('[') ? JSON.parse(text) : text,
    ]);
    const parameters = typeof sent === 'string' ? JSON.parse(sent) : Object.fromEntries(query);
    const { status, body, ordersPer10s } = await answer(method, url.pathname, parameters);
    const headers = new Headers({ 'content-type': 'application/json' });
    if (ordersPer10s !== undefined) headers.set('x-mbx-order-count-10s', String(ordersPer10s));
    const text = JSON.stringify(body);
    return { ok: status < 300, status, headers, text: async () => text } as Response;
  };
}
