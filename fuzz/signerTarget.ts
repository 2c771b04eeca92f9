// The target of a signer's door: requests of an operator who has the secret, and of strangers, with
// anything wrong in them. What is signed is open in the replica of the signer exactly so, for who
// has the secret, within the cap, and each request once. What is refused is refused by name.

import { type Hex, keccak256, toHex } from 'viem';
import type { OpenWithdrawal } from '../src/chain/chainEngine.ts';
import { createCheck } from '../src/chain/signers/createCheck.ts';
import { createSignerDoor, type DoorAnswer } from '../src/chain/signers/createSignerDoor.ts';
import { encodePeerRequest, macOf } from '../src/chain/signers/peerRequest.ts';
import type { Anchor, Payment, ToSign } from '../src/chain/vaultTypes.ts';
import { createDraw, type Draw, spoilBytes, spoilText } from './draw.ts';
import { demand, type TargetReport, type TargetRun, tryAlone } from './target.ts';

const place = { chainId: 43113, vault: `0x${'ab'.repeat(20)}` } as const;
const signer = `0x${'cd'.repeat(20)}` as const;
const secret = Buffer.alloc(32, 7);
const now = 1_760_000_000_000;
const unitsPerHourMax = 25n;
const idOf = (at: number): Hex => `0x${String(at).repeat(32)}`;
const open = new Map<Hex, OpenWithdrawal>(
  (['requested', 'sent', 'sent', 'queued'] as const).map((state, at) => [
    idOf(at),
    { id: idOf(at), to: `0x${'12'.repeat(20)}`, units: 10n, deadline: 1_800_000_000n, state },
  ]),
);

export const signerTarget = (run: TargetRun): Promise<TargetReport> =>
  tryAlone('signer', run, (seed) => tryDoor(createDraw(seed)));

/** A door before its first request, and what was signed behind it. */
function openDoor() {
  const signed: ToSign[] = [];
  const check = createCheck({
    replica: {
      openByIds: async (ids) => ids.map((id) => open.get(id)),
      isConserved: async () => true,
      judgeTree: async ({ position }) =>
        position === Number(anchor.logPosition) ? 'right' : 'wrong',
    },
    unitsPerHourMax,
    store: { load: () => [], append: () => {} },
    anchors: { load: () => undefined, save: () => {} },
    interval: 3600n,
  });
  const sign = async (asked: ToSign): Promise<Hex> => {
    await check(asked, 0n);
    signed.push(asked);
    return keccak256(toHex(signed.length));
  };
  const made = { place, signer: { address: signer, sign }, secret, report: () => {} };
  // It has served for an hour.
  let isOpen = false;
  const door = createSignerDoor({
    ...made,
    clock: { now: () => (isOpen ? now : now - 3_600_000) },
  });
  isOpen = true;
  return { door, signed };
}

function drawPayment(draw: Draw): Payment {
  const { state: _, ...payment } = open.get(idOf(draw.below(4)))!;
  if (!draw.once(6)) return payment;
  const wrong: Partial<Payment> = draw.pick([
    { units: draw.pick([0n, 9n, 11n, (1n << 64n) - 1n]) },
    { to: signer },
    { deadline: payment.deadline + 1n },
    { id: idOf(9) },
  ]);
  return { ...payment, ...wrong };
}

const zero: Hex = `0x${'0'.repeat(64)}`;
/** The tree that the replica has made. */
const anchor: Anchor = {
  ...{ epoch: 1n, root: zero, sum: 9n, deficit: 0n, leaves: 2n, depositCount: 3n, withdrawn: 4n },
  ...{ logPosition: 7n, logHash: zero, treeHash: zero },
};

const drawAnchor = (draw: Draw): Anchor => ({
  ...anchor,
  epoch: draw.pick([1n, 2n, (1n << 64n) - 1n]),
  logPosition: draw.pick([7n, 7n, 7n, 8n, (1n << 64n) - 1n]),
});

type Asked = { readonly body: Buffer; readonly mac: string; readonly time: number };

function drawRequest(draw: Draw): Asked {
  const time = now + draw.pick([0, 0, 0, 30_000, -30_000, 30_001, -30_001, -3_600_001]);
  const good = encodePeerRequest({
    chainId: draw.once(20) ? 43114 : place.chainId,
    vault: draw.once(20) ? signer : place.vault,
    signer: draw.once(20) ? place.vault : signer,
    time,
    nonce: draw.digits(32),
    asked: draw.once(5)
      ? { action: 'anchor', anchor: drawAnchor(draw) }
      : {
          action: 'pay',
          payments: Array.from({ length: draw.pick([0, 1, 1, 2, 3, 301]) }, () =>
            drawPayment(draw),
          ),
        },
  });
  const mac = macOf(secret, good);
  switch (draw.below(8)) {
    // Changed on the way, or by who has the secret.
    case 0:
      return { body: spoilBytes(draw, Buffer.from(good)), mac, time };
    case 1:
      return { body: Buffer.from(good), mac: spoilText(draw, mac), time };
    case 2: {
      const body = Buffer.from(spoilText(draw, good));
      return { body, mac: macOf(secret, body), time };
    }
    case 3: {
      const body = spoilBytes(draw, Buffer.from(good));
      return { body, mac: macOf(secret, body), time };
    }
    default:
      return { body: Buffer.from(good), mac, time };
  }
}

async function tryDoor(draw: Draw): Promise<string> {
  const { door, signed } = openDoor();
  const results: string[] = [];
  for (let requests = 1 + draw.below(3); requests > 0; requests -= 1) {
    const asked = drawRequest(draw);
    const before = signed.length;
    const answer = await door(asked.mac, asked.body);
    results.push(resultOf(answer, asked));
    const isSigned = signed.length > before;
    demand(isSigned === (answer.status === 200), () => `${answer.status} for ${shown(asked)}`);
    const isOwn = asked.mac === macOf(secret, asked.body);
    demand(!isSigned || isOwn, () => `signed for a stranger: ${shown(asked)}`);
    if (!isSigned) continue;
    const again = resultOf(await door(asked.mac, asked.body), asked);
    demand(again === 'replayed', () => `signed twice, ${again}: ${shown(asked)}`);
  }
  const anchors = signed.flatMap((each) => (each.action === 'anchor' ? [each.anchor] : []));
  for (const { logPosition } of anchors) {
    demand(logPosition === anchor.logPosition, () => `signed a tree of batch ${logPosition}`);
  }
  const payments = signed.flatMap((each) => (each.action === 'pay' ? each.payments : []));
  for (const payment of payments) {
    const record = open.get(payment.id);
    const isOpen =
      record !== undefined &&
      record.state !== 'queued' &&
      (['to', 'units', 'deadline'] as const).every((name) => record[name] === payment[name]);
    demand(isOpen, () => `signed what is not open: ${payment.id} ${payment.units}`);
  }
  const ids = new Set(payments.map(({ id }) => id));
  demand(10n * BigInt(ids.size) <= unitsPerHourMax, () => `${ids.size} ids exceed the cap`);
  return results.sort().at(-1)!;
}

/** The statuses that a door has, each with a name. */
function resultOf({ status, body }: DoorAnswer, asked: Asked): string {
  if (status === 200) return 'signed';
  const { refused, detail } = body as { readonly refused?: string; readonly detail?: string };
  const isNamed = typeof refused === 'string' && typeof detail === 'string' && detail.length < 300;
  const isKnown = [400, 401, 409, 503].includes(status);
  demand(isKnown && isNamed, () => `${status} ${JSON.stringify(body)} for ${shown(asked)}`);
  return refused!;
}

const shown = ({ body, mac }: Asked): string =>
  JSON.stringify({ body: body.toString('latin1').slice(0, 2000), mac });
