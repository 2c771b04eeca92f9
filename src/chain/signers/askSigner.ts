// One request to a signer elsewhere: bounded in time and in the size of the answer. An address may
// hold a name and a password; no error shows more of it than its host.

import { readBounded } from '../rpc/readBounded.ts';

/** An http or https address. */
export type SignerAddress = string;

export type SignerRequest = {
  readonly url: SignerAddress;
  /** Below the address. */
  readonly path: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
};

export type SignerAnswer = { readonly status: number; readonly text: string };

/** A round of the chain service waits for its slowest signer. */
const timeoutMs = 5000;
const answerBytesMax = 4096;

/** Rejects when no whole answer comes. */
export async function askSigner(request: SignerRequest): Promise<SignerAnswer> {
  const { url, headers: more, body } = request;
  const target = new URL(url);
  const { host, username, password } = target;
  const headers: Record<string, string> = { 'Content-Type': 'application/json', ...more };
  if (username !== '') {
    const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    headers.Authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
    // `fetch` refuses an address with a password.
    target.username = '';
    target.password = '';
  }
  target.pathname = `${target.pathname.replace(/\/+$/, '')}${request.path}`;
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    // A signer that sends elsewhere is another one.
    const response = await fetch(target, {
      ...{ method: 'POST', headers, body, redirect: 'error', signal },
    });
    return { status: response.status, text: await readBounded(response, answerBytesMax) };
  } catch (error) {
    throw new Error(`${host}: ${reasonOf(error as Error)}`);
  }
}

function reasonOf({ name, message, cause }: Error): string {
  if (name === 'TimeoutError') return `no answer within ${timeoutMs} ms`;
  return cause instanceof Error ? cause.message : message;
}

/** What a signer says of itself, as one short line of the journal. */
export const shownText = (text: unknown): string =>
  String(text)
    .slice(0, 200)
    .replace(/[^ -~]+/g, ' ')
    .trim();
