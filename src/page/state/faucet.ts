// The faucet of a testnet: play money for the account that is signed in.

import { ApiError } from '../../client/apiError.ts';
import type { Page } from './page.ts';

/** Rejects with an ApiError: 404 where the deployment has no faucet. */
export async function claimFaucet({
  options,
  session,
}: Page): Promise<{ readonly amount: string }> {
  const token = session.login.value?.token ?? '';
  const response = await options.fetch(`${options.origin}/api/v1/faucet`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
  });
  const body = await response.text();
  if (!response.ok) throw new ApiError({ operation: 'claimFaucet', status: response.status, body });
  return JSON.parse(body) as { readonly amount: string };
}
