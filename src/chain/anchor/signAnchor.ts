// The next anchor with the signatures that the vault wants, as a call.

import type { Alarm } from '../service/alarm.ts';
import { askQuorum } from '../service/askQuorum.ts';
import type { ChainParts } from '../service/chainParts.ts';
import { gatherSignatures } from '../service/gatherSignatures.ts';
import type { VaultCall } from '../vaultNode.ts';
import { type AnchorChance, type AnchorMemory, chooseAnchor } from './chooseAnchor.ts';

export type AnchorWork = { readonly memory: AnchorMemory; readonly alarms: Alarm[] };

/** Undefined when there is nothing to send, or too few sign. What fails costs an anchor alone. */
export async function signAnchor(
  { signers, readSigner }: Pick<ChainParts, 'signers' | 'readSigner'>,
  chance: AnchorChance,
  { memory, alarms }: AnchorWork,
): Promise<VaultCall | undefined> {
  const { nodes, block } = chance;
  try {
    const anchor = await chooseAnchor(chance, memory, alarms);
    if (anchor === undefined || block.time < memory.askFrom) return undefined;
    const set = await askQuorum(nodes, (node) => node.signerSet(block.hash));
    if (set === undefined) return undefined;
    const asked = { action: 'anchor', anchor } as const;
    const { signatures, failures } = await gatherSignatures(signers, set, asked, readSigner);
    if (signatures !== undefined) return { kind: 'anchor', anchor, signatures };
    memory.askFrom = block.time + askSeconds;
    const detail = [`${set.threshold} signatures are needed`, ...failures].join('; ');
    alarms.push({ name: 'anchorUnsigned', detail });
  } catch (error) {
    alarms.push({ name: 'anchorUnsigned', detail: (error as Error).message });
  }
  return undefined;
}

/** A replica of a signer may be minutes behind. */
const askSeconds = 10n;
