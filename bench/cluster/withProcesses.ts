// A deployment of real processes with one that serves and others that follow, and orders that a
// benchmark sends to any of them and remembers.

import { createAuditor } from '../../kills/createAuditor.ts';
import { type Deployment, openDeployment } from '../../kills/openDeployment.ts';
import { fetchInTime, type Member, until } from '../../kills/openMember.ts';
import { ApiError } from '../../src/client/apiError.ts';
import { createClient } from '../../src/client/createClient.ts';
import { must } from '../../src/std/assert.ts';
import { type BenchAccount, openAccounts, symbol } from '../orderRequests.ts';
import { check } from '../report.ts';

export type Processes = {
  readonly deployment: Deployment;
  readonly accounts: readonly BenchAccount[];
  /** Sends one signed order; whether it was acknowledged. */
  readonly place: (member: Member) => Promise<boolean>;
  /** The process with the lease, when all others follow it closely. */
  readonly untilWhole: () => Promise<Member>;
  /** Acknowledged orders that the log does not have. Throws when it has one of any fate twice. */
  readonly countLost: () => Promise<{ readonly acknowledged: number; readonly lost: number }>;
};

const startMs = 120_000;
/** Positions that a process may be behind. */
const behindMost = 5;
const accountsOpened = 8;
const mid = 60_000;
const priceEveryMs = 500;

/** Starts them, and removes everything at the end. */
export async function withProcesses<T>(
  processes: number,
  measure: (opened: Processes) => Promise<T>,
): Promise<T> {
  const deployment = await openDeployment({
    ...{ processes, links: false },
    flags: ['--rate-limit-scale', '1000000'],
  });
  try {
    for (const member of deployment.members) member.start();
    const untilWhole = (): Promise<Member> => wholeHolder(deployment);
    const accounts = await openAccounts(await untilWhole(), accountsOpened);
    const acknowledged: string[] = [];
    let sent = 0;
    const keepPrice = createPriceKeeper(deployment);
    const place = async (member: Member): Promise<boolean> => {
      keepPrice();
      sent += 1;
      const clientOrderId = `k${sent}`;
      const [apiKey, secretKey] = accounts[sent % accounts.length]!.key;
      const { http: baseUrl } = member;
      const { fapi } = createClient({ baseUrl, apiKey, secretKey, fetch: fetchInTime });
      // Orders meet: whatever is not acknowledged, none of them piles up on one side.
      const buys = acknowledged.length % 2 === 1;
      const order = { side: buys ? 'BUY' : 'SELL', type: 'LIMIT', timeInForce: 'GTC' };
      try {
        await fapi.placeOrder({
          ...{ ...order, symbol, quantity: '0.001', newClientOrderId: clientOrderId },
          price: String(buys ? mid + 1 : mid - 1),
        } as never);
      } catch (error) {
        const isRefused = error instanceof ApiError && error.status < 500 && error.status !== 429;
        check(!isRefused, `an order is refused: ${(error as Error).message}`);
        return false;
      }
      acknowledged.push(clientOrderId);
      return true;
    };
    const countLost: Processes['countLost'] = async () => {
      const auditor = createAuditor();
      await auditor.readLog(deployment.pair.url());
      const lost = acknowledged.filter((id) => !auditor.hasOrder(id)).length;
      return { acknowledged: acknowledged.length, lost };
    };
    return await measure({ deployment, accounts, place, untilWhole, countLost });
  } finally {
    await deployment.close();
  }
}

/** A market whose price is old closes, and a process that takes over knows no price set by hand. */
function createPriceKeeper({ members }: Deployment): () => void {
  let keptAt = 0;
  return () => {
    if (performance.now() - keptAt < priceEveryMs) return;
    keptAt = performance.now();
    const price = String(mid);
    // A process that does not serve refuses it.
    void Promise.allSettled(
      members.map(({ operator }) => operator.setIndexPrice({ symbol, price })),
    );
  };
}

async function wholeHolder(deployment: Deployment): Promise<Member> {
  let holder: Member | undefined;
  const isWhole = async (): Promise<boolean> => {
    holder = await deployment.holder();
    if (holder === undefined || !(await holder.serves())) return false;
    const found = await Promise.all(deployment.members.map((member) => member.health()));
    const positions = found.map((health) => health?.position ?? Number.NEGATIVE_INFINITY);
    return Math.max(...positions) - Math.min(...positions) <= behindMost;
  };
  await until(isWhole, { withinMs: startMs, or: 'the processes did not all follow' });
  return must(holder, 'it was found');
}

/** The members without the lease. Fails when there is none. */
export function followersOf({ members }: Deployment, holder: Member): readonly Member[] {
  const followers = members.filter((member) => member !== holder);
  check(followers.length > 0, 'there is a process that follows');
  return followers;
}
