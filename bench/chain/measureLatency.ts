// The real program beside a chain whose blocks come by a plan: how long after its final block a
// deposit is credited, how many blocks after its request a withdrawal is paid, and how long after
// the payment's final block it is completed. Both are sent at moments that have nothing to do with
// the blocks or with the service's rounds.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Hex } from 'viem';
import type { Receipt } from '../../contracts/openLocalChain.ts';
import { createPrng } from '../../src/std/prng.ts';
import { createTrader, login, nativeOf, walletOf } from '../../test/contracts/chainedExchange.ts';
import type { ChainBench } from '../chain.ts';
import { check, percentiles, say } from '../report.ts';
import { mineByPlan } from './mineByPlan.ts';
import { readPayments } from './readPayments.ts';
import { type Exchange, withExchange } from './withExchange.ts';

const million = 1_000_000n;
/** Between two looks at the exchange's figures. */
const lookMs = 10;
/** In USDT: each withdrawal, and each deposit but the first. */
const [withdrawn, deposited] = [1, 10];
/** The local node calls a block final when so many are above it. */
const finalDepth = 6;

/** The vault's id of a withdrawal, and the newest block when it was requested. */
type Request = { readonly id: Hex; readonly newest: number };

export const measureLatency: ChainBench = ({ samples, block, seed }) =>
  withExchange(async (exchange) => {
    const { stage, server } = exchange;
    const trader = createTrader(1);
    const wallet = walletOf(trader);
    await stage.fund(wallet, BigInt(2 * samples * deposited) * million);
    await stage.vault.write(wallet, 'deposit', [wallet, BigInt(samples * deposited) * million]);
    const blocks = await mineByPlan(stage.chain, block);
    const watch = watchTotals(exchange, samples * deposited);
    await watch.untilCredited(0);
    await login(server, trader);
    const native = nativeOf(server, trader.token);
    const request = (): Promise<{ readonly id: string }> =>
      native.requestWithdrawal({ amount: String(withdrawn) });
    // A start pays only when the block that was the newest then is final.
    await request();
    await watch.untilCompleted(1);
    const prng = createPrng(seed);
    const [deposits, requests]: [Hex[], Request[]] = [[], []];
    for (let sample = 0; sample < samples; sample += 1) {
      await sleep(prng.below(block));
      deposits.push(await sendDeposit(exchange, wallet));
      await sleep(prng.below(block));
      const newest = blocks.newest();
      const { id } = await request();
      requests.push({ id: `0x${id.replaceAll('-', '')}`, newest });
    }
    await watch.untilCredited(samples);
    await watch.untilCompleted(samples + 1);
    await watch.end();
    await blocks.end();
    const { service } = await server.operator.getOperatorVault();
    check(service?.alarms.length === 0, `the service has no alarm: ${service?.alarms}`);
    const finalAt = (made: number): number => blocks.madeAt(made + finalDepth);
    const placed = await Promise.all(deposits.map((hash) => blockOf(exchange, hash)));
    const credited = placed.map((made, at) => watch.creditedAt[at + 1]! - finalAt(made));
    say(`final block to its deposit's credit: ${percentiles(credited, 'ms')}`);
    const payments = await readPayments(stage);
    check(payments.twice === 0 && payments.blocks.size === samples + 1, 'each is paid once');
    const sent = requests.map(({ id, newest }) => payments.blocks.get(id)! - newest);
    say(`request to the block with its payment: ${percentiles(sent, 'blocks')}`);
    const completed = requests.map(
      ({ id }, at) => watch.completedAt[at + 1]! - finalAt(payments.blocks.get(id)!),
    );
    say(`final block to the end of its withdrawal: ${percentiles(completed, 'ms')}`);
    const rounded = (value: number): number => Math.round(value * 100) / 100;
    return {
      samples,
      block_ms: block,
      credited_max_s: rounded(Math.max(...credited) / 1000),
      sent_max_blocks: Math.max(...sent),
      completed_max_blocks: rounded(Math.max(...completed) / block),
    };
  });

async function sendDeposit({ stage }: Exchange, from: Hex): Promise<Hex> {
  const { chain, vault } = stage;
  const data = vault.encode('deposit', [from, BigInt(deposited) * million]);
  const transaction = { from, to: vault.address, data, gas: '0x30d40', gasPrice: '0x0' };
  return (await chain.ask('eth_sendTransaction', transaction)) as Hex;
}

async function blockOf({ stage }: Exchange, hash: Hex): Promise<number> {
  const receipt = (await stage.chain.ask('eth_getTransactionReceipt', hash)) as Receipt;
  check(receipt.status === '0x1', 'the deposit is in its block');
  return Number(receipt.blockNumber);
}

/** When the exchange's own figures have risen: deposits and withdrawals come in their order. */
function watchTotals({ server }: Exchange, first: number) {
  const [creditedAt, completedAt]: [number[], number[]] = [[], []];
  let isEnded = false;
  const native = nativeOf(server);
  const watching = (async (): Promise<void> => {
    while (!isEnded) {
      const { deposits, withdrawals } = await native.getSolvency();
      const now = performance.now();
      while (first + creditedAt.length * deposited <= Number(deposits)) creditedAt.push(now);
      while ((completedAt.length + 1) * withdrawn <= Number(withdrawals)) completedAt.push(now);
      await sleep(lookMs);
    }
  })();
  const untilLong = async (times: readonly number[], count: number): Promise<void> => {
    // A watch that has failed ends the wait.
    while (times.length < count) await Promise.race([sleep(lookMs), watching]);
  };
  return {
    /** The first one, of the account's first money, has place 0. */
    creditedAt,
    completedAt,
    untilCredited: (place: number) => untilLong(creditedAt, place + 1),
    untilCompleted: (count: number) => untilLong(completedAt, count),
    end: async (): Promise<void> => {
      isEnded = true;
      await watching;
    },
  };
}
