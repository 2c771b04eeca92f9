// What the account is owed, proved in this browser, and compared with the contract by the person's
// own wallet.

import { useState } from 'preact/hooks';
import { ApiError } from '../../client/apiError.ts';
import { AnswerView } from '../components/AnswerView.tsx';
import { saveText } from '../components/saveText.ts';
import { useAnswer } from '../components/useAnswer.ts';
import { usePage } from '../components/usePage.tsx';
import { failureText } from '../messages/failureText.ts';
import { plainText } from '../state/grid.ts';
import { grouping, trimmed } from '../state/grouping.ts';
import type { Requests } from '../state/requests.ts';
import type { Login } from '../state/session.ts';
import { dateText } from '../state/timeText.ts';
import { climbProof } from '../wallet/climbProof.ts';
import { readAnchor } from '../wallet/readAnchor.ts';
import type { AccountViewProps } from './AccountDialog.tsx';
import { proofMessages } from './proofMessages.ts';
import { openWalletOfLogin } from './walletOfLogin.ts';

type Proved = Awaited<ReturnType<Requests['getProof']>>;
type Solvency = Awaited<ReturnType<Requests['getSolvency']>>;

const moneyDecimals = 6;
const usdt = (amount: string): string => `${grouping(trimmed(amount))} USDT`;
const usdtOf = (units: string): string => usdt(plainText(BigInt(units), moneyDecimals));

export function ProofView({ login }: AccountViewProps) {
  const { requests } = usePage();
  const found = useAnswer(async () => {
    const solvency = await requests.getSolvency();
    return { solvency, proved: await proofOf(requests, login.address) };
  }, [login.address]);
  const text = proofMessages();
  return (
    <AnswerView of={found}>
      {({ solvency, proved }) => {
        if (solvency.vault === null) return <p class="muted">{text.noVault}</p>;
        return (
          <>
            <p class="muted">{text.why}</p>
            <Totals solvency={solvency} />
            {proved === undefined ? (
              <p>{text.noTree}</p>
            ) : (
              <Shown login={login} vault={solvency.vault} proved={proved} />
            )}
          </>
        );
      }}
    </AnswerView>
  );
}

/** Undefined while there is no tree. */
async function proofOf(requests: Requests, address: string): Promise<Proved | undefined> {
  try {
    return await requests.getProof({ address });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

function Totals({ solvency: { chain, owed } }: { solvency: Solvency }) {
  const text = proofMessages();
  return (
    <dl class="account-facts">
      {chain !== null && (
        <>
          <dt>{text.held}</dt>
          <dd>{usdt(chain.held)}</dd>
        </>
      )}
      <dt>{text.owedToAll}</dt>
      <dd>{usdt(chain?.owed ?? owed)}</dd>
    </dl>
  );
}

type ShownProps = { readonly login: Login; readonly vault: string; readonly proved: Proved };

function Shown({ login, vault, proved }: ShownProps) {
  const { preferences } = usePage();
  const text = proofMessages();
  const { tree, proof } = proved;
  return (
    <>
      <dl class="account-facts">
        <dt>{text.owed}</dt>
        <dd>{usdtOf(proof?.units ?? '0')}</dd>
        <dt>{text.asOf}</dt>
        <dd>{dateText(tree.time, preferences.clock.value)}</dd>
        <dt>{text.place}</dt>
        <dd>{tree.log_position}</dd>
      </dl>
      <Findings proved={proved} />
      <div class="account-acts">
        {login.kind === 'injected' && <CompareButton login={login} vault={vault} proved={proved} />}
        <button
          type="button"
          class="button"
          onClick={() => saveText(`proof-${tree.log_position}.json`, jsonOf(proved), jsonType)}
        >
          {text.save}
        </button>
      </div>
    </>
  );
}

const jsonType = 'application/json';
const jsonOf = (proved: Proved): string => `${JSON.stringify(proved, null, 2)}\n`;

/** What this browser has computed, and what the exchange says of the contract. */
function Findings({ proved: { tree, proof, anchor, is_anchored } }: { proved: Proved }) {
  const { preferences } = usePage();
  const text = proofMessages();
  const timeOf = (seconds: number): string => dateText(seconds * 1000, preferences.clock.value);
  const isBad = anchor?.is_of_log === false;
  return (
    <ul class="proof-findings">
      {proof === null ? <li>{text.noLeaf}</li> : <Climbed tree={tree} proof={proof} />}
      {isBad && <li class="bad">{text.contradicted}</li>}
      {is_anchored && anchor !== null && (
        <li class="good">{text.anchored(anchor.epoch, timeOf(anchor.accepted_at))}</li>
      )}
      {!is_anchored && !isBad && <li>{text.notAnchored}</li>}
      {anchor !== null && <li>{text.exit(timeOf(anchor.exit_after))}</li>}
    </ul>
  );
}

type ClimbedProps = Pick<Proved, 'tree'> & { readonly proof: NonNullable<Proved['proof']> };

function Climbed({ tree, proof }: ClimbedProps) {
  const text = proofMessages();
  const { root, sum } = climbProof(tree.log_hash, proof);
  const isIn = root === tree.root && sum === tree.sum;
  return <li class={isIn ? 'good' : 'bad'}>{isIn ? text.climbs : text.doesNotClimb}</li>;
}

function CompareButton({ login, vault, proved: { tree } }: ShownProps) {
  const page = usePage();
  const [isBusy, setBusy] = useState(false);
  const [said, setSaid] = useState({ text: '', isGood: false });
  const text = proofMessages();
  const compare = async (): Promise<void> => {
    setBusy(true);
    try {
      const provider = await openWalletOfLogin(page, login);
      const { root } = await readAnchor(provider, page.facts.chainId, vault);
      const isGood = root === tree.root;
      setSaid({ text: isGood ? text.walletAgrees : text.walletDiffers, isGood });
    } catch (error) {
      setSaid({ text: failureText(error), isGood: false });
    }
    setBusy(false);
  };
  return (
    <>
      <button type="button" class="button" disabled={isBusy} onClick={() => void compare()}>
        {text.askWallet}
      </button>
      {said.text !== '' && (
        <p class={said.isGood ? 'good' : 'bad'} role="status">
          {said.text}
        </p>
      )}
    </>
  );
}
