// An account of the recovery of risk: it logs in once, and says at any time everything that the
// exchange shows it, in a form that two servers over one log must agree on to the letter.

import { expect } from 'vitest';
import type { Client } from '../../src/client/client.ts';
import { createClient } from '../../src/client/createClient.ts';
import { must } from '../../src/std/assert.ts';
import type { RunningServer } from '../fixtures/startServer.ts';
import { createWallet } from '../identity/wallet.ts';

const symbols = ['BTCUSDT', 'ETHUSDT', 'AVAXUSDT'] as const;

type Order = Readonly<Record<string, unknown>>;

export type RiskAccount = {
  readonly address: string;
  /** Uses the server that runs now; its clock may be ahead. */
  readonly connect: (server: RunningServer, clockAheadMs?: number) => void;
  readonly login: () => Promise<void>;
  readonly client: () => Client;
  readonly place: (order: Order) => Promise<Order>;
  readonly placeAlgo: (trigger: Order) => Promise<Order>;
  readonly wallet: () => Promise<string>;
  /** Everything it is shown that does not change by time alone. */
  readonly sees: () => Promise<unknown>;
};

export function createRiskAccount(seed: number): RiskAccount {
  const wallet = createWallet(seed);
  let server: RunningServer | undefined;
  let ahead = 0;
  let credentials: Readonly<Record<string, string>> = {};
  const client = (): Client => {
    const { http, operatorUrl } = must(server, 'the account is connected');
    const clock = { now: () => Date.now() + ahead };
    return createClient({ baseUrl: http, operatorUrl, clock, ...credentials });
  };
  return {
    address: wallet.address,
    connect: (running, clockAheadMs = 0) => {
      server = running;
      ahead = clockAheadMs;
    },
    login: async () => {
      const { address } = wallet;
      const { nonce, timestamp } = await client().native.getLoginNonce({ address });
      const signature = await wallet.sign({ chainId: 43113, address, nonce, timestamp });
      const { token } = await client().native.login({ address, nonce, timestamp, signature });
      credentials = { token };
      const key = await client().native.createApiKey({ label: 'risk' });
      credentials = { token, apiKey: key.api_key, secretKey: key.secret_key };
    },
    client,
    place: (order) => client().fapi.placeOrder(order as never) as Promise<Order>,
    placeAlgo: (trigger) =>
      client().fapi.placeAlgoOrder({
        algoType: 'CONDITIONAL',
        ...trigger,
      } as never) as Promise<Order>,
    wallet: async () => (await client().fapi.getBalanceV2())[0]!.balance,
    sees: () => everything(client()),
  };
}

async function everything({ fapi, native }: Client): Promise<unknown> {
  const triggers = [];
  // A new day counts other volumes.
  const { volume_14d: _volume, ...fees } = await native.getFeeInfo({});
  for (const symbol of symbols) triggers.push(await fapi.getAllAlgoOrders({ symbol } as never));
  return {
    triggers,
    waiting: await fapi.getOpenAlgoOrders({}),
    orders: await fapi.getOpenOrders({}),
    forced: await fapi.getForceOrders({ limit: 100 }),
    balances: (await native.listBalances()).map(withoutWithdrawable),
    positions: (await native.listPositions()).map(withoutRank),
    withdrawals: await native.listWithdrawals({}),
    fees,
  };
}

/** While a mark is in doubt, as after an outage, nothing may be withdrawn (MAR-8c). */
function withoutWithdrawable({ withdrawable: _amount, ...balance }: Order): Order {
  return balance;
}

/** Rankings serve for a second: a rank may be older than what it ranks. */
function withoutRank({ adl_quantile: _rank, ...position }: Order): Order {
  return position;
}

/** All public figures and those for the operator, except prices and their ages. */
export async function publicSees({ operator }: RunningServer, visitor: Client): Promise<unknown> {
  const { time: _time, ...fund } = await visitor.native.getInsuranceFund();
  const { figures, failures } = await operator.getInvariants();
  expect(failures).toEqual([]);
  return {
    fund,
    figures,
    deleveragings: await visitor.native.listDeleveragings({}),
    funding: await visitor.fapi.getFundingRate({}),
    feeTiers: await operator.getFeeTiers(),
    pending: await operator.listPendingWithdrawals({}),
  };
}
