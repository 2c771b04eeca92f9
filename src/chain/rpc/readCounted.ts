// All events of one kind up to the final block of a node, read backwards until the first one. The
// vault's storage counts them, so a node that leaves one out is found.

import { decodeFunctionResult, encodeFunctionData, type Hex } from 'viem';
import { createRpc, type Rpc } from './createRpc.ts';
import { type CountedEvent, readEvents } from './readEvents.ts';
import { vaultAbi as abi } from './vaultAbi.ts';

const limits = { timeoutMs: 30_000, bytesMax: 20_000_000 };
const windowBlocks = 2000n;

export type Counted<Event> = {
  /** For a person. */
  readonly what: string;
  readonly eventName: CountedEvent;
  /** What the vault counts them by. */
  readonly counter: 'reportCount' | 'epoch';
  /** 1 is the first. */
  readonly numberOf: (event: Event) => bigint;
};

/** Ascending by number. Rejects when a node does not answer, or two of them differ. */
export async function readCounted<Event>(
  urls: readonly string[],
  vault: Hex,
  counted: Counted<Event>,
): Promise<readonly Event[]> {
  const nodes = urls.map((url) => namedRpc(url));
  const heads = await Promise.all(nodes.map(finalBlockOf));
  // The block that is final for all.
  const final = heads.reduce((least, head) => (head < least ? head : least));
  const found = await Promise.all(nodes.map((rpc) => readFrom(rpc, vault, final, counted)));
  const [first] = found.map(textOf);
  if (found.some((each) => textOf(each) !== first)) {
    throw new Error(`the nodes do not agree on the ${counted.what}`);
  }
  return found[0]!;
}

/** Its errors name the node. */
function namedRpc(url: string): Rpc {
  const rpc = createRpc({ url, ...limits });
  const { host } = new URL(url);
  return (calls) =>
    rpc(calls).catch((error: Error) => {
      throw new Error(`the node ${host}: ${error.message}`, { cause: error });
    });
}

const textOf = (events: readonly unknown[]): string =>
  JSON.stringify(events, (_, value) => (typeof value === 'bigint' ? `${value}` : value));

async function finalBlockOf(rpc: Rpc): Promise<bigint> {
  const [block] = await rpc([{ method: 'eth_getBlockByNumber', params: ['finalized', false] }]);
  return BigInt((block as { readonly number: Hex }).number);
}

async function readFrom<Event>(
  rpc: Rpc,
  vault: Hex,
  final: bigint,
  { what, eventName, counter, numberOf }: Counted<Event>,
): Promise<readonly Event[]> {
  const data = encodeFunctionData({ abi, functionName: counter });
  const at = `0x${final.toString(16)}`;
  const [answer] = await rpc([{ method: 'eth_call', params: [{ to: vault, data }, at] }]);
  const count = decodeFunctionResult({ abi, functionName: counter, data: answer as Hex });
  const found: Event[] = [];
  for (let to = final; BigInt(found.length) < count && to >= 0n; to -= windowBlocks) {
    const from = to < windowBlocks ? 0n : to - windowBlocks + 1n;
    const events = await readEvents<Event>(rpc, vault, { from, to }, { eventName });
    found.push(...events.toReversed());
  }
  const events = found.toReversed();
  const isDense = events.every((event, place) => numberOf(event) === BigInt(place + 1));
  if (BigInt(events.length) !== count || !isDense) {
    throw new Error(`the vault has ${count} ${what}, and the node's events show others`);
  }
  return events;
}
