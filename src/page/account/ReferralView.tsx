// Referral: the own code, the code to which the account is bound, what was earned, and its claim.

import { useState } from 'preact/hooks';
import { AnswerView } from '../components/AnswerView.tsx';
import { CopyButton } from '../components/CopyButton.tsx';
import { PlainTable } from '../components/PlainTable.tsx';
import { Problem } from '../components/Problem.tsx';
import type { Column } from '../components/Table.tsx';
import { TextField } from '../components/TextField.tsx';
import { useAnswer } from '../components/useAnswer.ts';
import { usePage } from '../components/usePage.tsx';
import { failureText } from '../messages/failureText.ts';
import { scaledOf } from '../state/grid.ts';
import { cut, percentOf } from '../state/grouping.ts';
import type { Requests } from '../state/requests.ts';
import { sayFailure } from '../state/sayFailure.ts';
import { dateText } from '../state/timeText.ts';
import type { AccountViewProps } from './AccountDialog.tsx';
import { referralMessages } from './referralMessages.ts';

type Referral = Awaited<ReturnType<Requests['getReferral']>>;
type Day = Referral['days'][number];

/** Shares are shown to the unit: they can be small. */
const moneyDecimals = 6;

export function ReferralView({ login }: AccountViewProps) {
  const { requests } = usePage();
  const referral = useAnswer(() => requests.getReferral({}), [login.address]);
  return (
    <AnswerView of={referral}>
      {(shown) => <Shown referral={shown} again={referral.again} />}
    </AnswerView>
  );
}

type ShownProps = { readonly referral: Referral; readonly again: () => void };

function Shown({ referral, again }: ShownProps) {
  const text = referralMessages();
  const { terms, accrued, days } = referral;
  return (
    <>
      <p class="muted">
        {terms.enabled ? text.terms(percentOf(terms.discount), percentOf(terms.share)) : text.off}
      </p>
      <Codes referral={referral} again={again} />
      <Figures referral={referral} />
      <div class="account-acts">
        <ClaimButton accrued={accrued} onDone={again} />
      </div>
      <PlainTable
        label={text.days}
        columns={dayColumns}
        rows={days.toReversed()}
        keyOf={({ time }) => String(time)}
        empty={text.noDays}
      />
    </>
  );
}

function Codes({ referral: { code, bound_code }, again }: ShownProps) {
  const { requests } = usePage();
  const text = referralMessages();
  return (
    <div class="referral-codes">
      {code === null ? (
        <CodeForm
          label={text.newCode}
          hint={text.newCodeHint}
          act={text.setCode}
          send={(typed) => requests.setReferralCode({ code: typed })}
          onDone={again}
        />
      ) : (
        <div class="code-shown">
          <span class="muted">{text.myCode}</span>
          <strong class="code">{code}</strong>
          <CopyButton text={code} name={text.copyCode} />
        </div>
      )}
      {bound_code === null ? (
        <CodeForm
          label={text.boundCode}
          hint={text.bindHint}
          act={text.bind}
          send={(typed) => requests.bindReferral({ code: typed })}
          onDone={again}
        />
      ) : (
        <div class="code-shown">
          <span class="muted">{text.boundTo}</span>
          <strong class="code">{bound_code}</strong>
        </div>
      )}
    </div>
  );
}

function Figures({ referral }: Pick<ShownProps, 'referral'>) {
  const text = referralMessages();
  const { referees, total, claimed, accrued } = referral;
  return (
    <dl class="account-facts">
      <dt>{text.referees}</dt>
      <dd>{referees}</dd>
      <dt>{text.total}</dt>
      <dd>{cut(total, moneyDecimals)} USDT</dd>
      <dt>{text.claimed}</dt>
      <dd>{cut(claimed, moneyDecimals)} USDT</dd>
      <dt>{text.accrued}</dt>
      <dd>{cut(accrued, moneyDecimals)} USDT</dd>
    </dl>
  );
}

const dayColumns: readonly Column<Day>[] = [
  {
    id: 'day',
    title: () => referralMessages().day,
    cell: ({ time }) => dateText(time, 'utc').slice(0, 10),
  },
  {
    id: 'amount',
    title: () => referralMessages().earned,
    isNumber: true,
    cell: ({ amount }) => cut(amount, moneyDecimals),
  },
];

function ClaimButton({ accrued, onDone }: { accrued: string; onDone: () => void }) {
  const page = usePage();
  const [isBusy, setBusy] = useState(false);
  const text = referralMessages();
  const claim = async (): Promise<void> => {
    setBusy(true);
    try {
      const { amount } = await page.requests.claimReferral({});
      page.notices.say({
        kind: 'good',
        title: text.claimDone,
        text: `${cut(amount, moneyDecimals)} USDT`,
      });
    } catch (error) {
      sayFailure(page, text.claimRefused, error);
    }
    setBusy(false);
    onDone();
  };
  const isEmpty = scaledOf(accrued, moneyDecimals) === 0n;
  return (
    <button type="button" class="button" disabled={isBusy || isEmpty} onClick={() => void claim()}>
      {text.claim}
    </button>
  );
}

type CodeFormProps = {
  readonly label: string;
  readonly hint: string;
  readonly act: string;
  readonly send: (code: string) => Promise<unknown>;
  readonly onDone: () => void;
};

/** Of a code (NAT-4a); what else is typed the exchange refuses. */
const codeLengthMax = 16;

function CodeForm({ label, hint, act, send, onDone }: CodeFormProps) {
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const submit = async (): Promise<void> => {
    setBusy(true);
    setProblem('');
    try {
      await send(typed.trim());
      onDone();
    } catch (error) {
      setProblem(failureText(error));
    }
    setBusy(false);
  };
  return (
    <form
      class="account-form"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <TextField
        label={label}
        value={typed}
        onType={setTyped}
        lengthMax={codeLengthMax}
        hint={hint}
      />
      <Problem text={problem} />
      <button type="submit" class="button" disabled={isBusy || typed.trim() === ''}>
        {act}
      </button>
    </form>
  );
}
