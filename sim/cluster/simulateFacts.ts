// Four processes that make facts and exchange them over a star of links, which break,
// lose what is on its way, and change their centre. The decisions are the real ones.

import {
  createFactExchange,
  type FactExchange,
  factsToSay,
  forgetFacts,
  onFactLink,
  onFactLinkGone,
  takeFacts,
} from '../../src/link/facts.ts';
import type { Fact } from '../../src/link/linkMessage.ts';
import { createPrng } from '../../src/std/prng.ts';

const endsAt = 1000;

/** What each process knows in the end, when all was said. */
export function simulateFacts(seed: number): readonly FactExchange[] {
  const prng = createPrng(seed);
  const nodes = [0, 1, 2, 3].map(() => createFactExchange());
  let [links, centre] = [0, 0];
  let open: { readonly link: number; readonly ends: readonly [number, number] }[] = [];
  const join = (node: number): void => {
    links += 1;
    open.push({ link: links, ends: [node, centre] });
    for (const end of [node, centre]) onFactLink(nodes[end]!, links);
  };
  const cut = ({ link, ends }: (typeof open)[number]): void => {
    open = open.filter((each) => each.link !== link);
    for (const end of ends) onFactLinkGone(nodes[end]!, link);
  };
  const begin = (): void => {
    for (const each of open) cut(each);
    centre = prng.below(nodes.length);
    for (const node of nodes.keys()) if (node !== centre) join(node);
  };
  const exchange = (losses: boolean): void => {
    for (const { link, ends } of open) {
      for (const [from, to] of [ends, ends.toReversed()] as [number, number][]) {
        const said = factsToSay(nodes[from]!, link);
        if (said.length === 0) continue;
        // What is lost is lost with its link.
        if (losses && prng.below(5) === 0) {
          cut({ link, ends });
          join(ends[0]);
          break;
        }
        takeFacts(nodes[to]!, said, link);
      }
    }
  };
  begin();
  for (let step = 0; step < 300; step += 1) {
    const made: Fact = {
      ...{ name: `f${prng.below(6)}`, value: `${prng.below(9)}` },
      ...{ version: step + prng.below(50), until: step < 50 ? endsAt : 2 * endsAt },
    };
    takeFacts(nodes[prng.below(nodes.length)]!, [made]);
    // Some have ended, and come again with a later version.
    if (step === 100) for (const node of nodes) forgetFacts(node, endsAt);
    if (prng.below(20) === 0) begin();
    exchange(true);
  }
  exchange(false);
  exchange(false);
  return nodes;
}
