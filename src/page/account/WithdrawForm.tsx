// Asks for a withdrawal to the own wallet (NAT-3). It is shown once more before it is sent.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { NumberField } from '../components/NumberField.tsx';
import { Problem } from '../components/Problem.tsx';
import { usePage } from '../components/usePage.tsx';
import { failureText } from '../messages/failureText.ts';
import { plainText, scaledOf } from '../state/grid.ts';
import { cut, grouping, trimmed } from '../state/grouping.ts';
import type { Page } from '../state/page.ts';
import { readTyped } from '../state/readTyped.ts';
import type { Login } from '../state/session.ts';
import { moneyMessages } from './moneyMessages.ts';

const money = { decimals: 6, step: 1 } as const;

type WithdrawFormProps = {
  readonly login: Login;
  readonly onDone: () => void;
  /** What one must know of withdrawals. */
  readonly children: ComponentChildren;
};

type Wanted = {
  /** As the wire takes it; undefined unless it can be sent. */
  readonly amount: string | undefined;
  /** What is wrong with what was typed; empty when nothing is. */
  readonly wrong: string;
};

function readWanted(typed: string, most: string): Wanted {
  const text = moneyMessages();
  const reading = readTyped(typed, money);
  if (reading.kind === 'empty') return { amount: undefined, wrong: '' };
  if (reading.kind !== 'steps') return { amount: undefined, wrong: text.problems[reading.kind] };
  const isTooMuch = reading.steps > scaledOf(most, money.decimals);
  if (isTooMuch) return { amount: undefined, wrong: text.tooMuch };
  return { amount: plainText(reading.steps, money.decimals), wrong: '' };
}

/** Sends a request; gives why it was refused, or nothing. */
async function request({ requests, requestKeys, notices }: Page, amount: string): Promise<string> {
  try {
    await requestKeys.sendOnce({ amount }, (signing) =>
      requests.requestWithdrawal({ amount }, signing),
    );
    const shown = `${grouping(trimmed(amount))} USDT`;
    notices.say({ kind: 'good', title: moneyMessages().requested, text: shown });
    return '';
  } catch (error) {
    return failureText(error);
  }
}

export function WithdrawForm({ login, onDone, children }: WithdrawFormProps) {
  const page = usePage();
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState('');
  const [step, setStep] = useState<'typing' | 'asked' | 'sending'>('typing');
  const text = moneyMessages();
  const most = page.account.balance.value?.max_withdraw_amount ?? '0';
  const { amount, wrong } = readWanted(typed, most);
  const type = (next: string): void => {
    setTyped(next);
    setStep((before) => (before === 'sending' ? before : 'typing'));
  };
  const submit = async (): Promise<void> => {
    if (amount === undefined) return;
    if (step === 'typing') {
      setStep('asked');
      return;
    }
    setStep('sending');
    const refused = await request(page, amount);
    setProblem(refused);
    setStep('typing');
    if (refused !== '') return;
    // What was typed meanwhile is the next amount.
    setTyped((now) => (now === typed ? '' : now));
    onDone();
  };
  return (
    <form
      class="account-form"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <h3>{text.withdraw}</h3>
      {children}
      <NumberField
        label={text.amount}
        value={typed}
        onType={type}
        problem={wrong}
        unit={<MostButton most={most} onPress={() => type(most)} />}
      />
      <Problem text={problem} />
      {step === 'asked' && amount !== undefined && (
        <p role="status" class="whole-text">
          {text.question(grouping(trimmed(amount)), login.address)}
        </p>
      )}
      <button
        type="submit"
        class={step === 'asked' ? 'button button-main' : 'button'}
        disabled={step === 'sending' || amount === undefined}
      >
        {step === 'asked' ? text.confirm : text.request}
      </button>
    </form>
  );
}

function MostButton({ most, onPress }: { most: string; onPress: () => void }) {
  return (
    <button type="button" class="button-small" onClick={onPress}>
      {moneyMessages().most(cut(most, 2))}
    </button>
  );
}
