// Deposits into the vault of the exchange, from the wallet that is signed in.

import { useState } from 'preact/hooks';
import { NumberField } from '../components/NumberField.tsx';
import { Problem } from '../components/Problem.tsx';
import { usePage } from '../components/usePage.tsx';
import { failureText } from '../messages/failureText.ts';
import { plainText } from '../state/grid.ts';
import { grouping, trimmed } from '../state/grouping.ts';
import type { DepositState, Page } from '../state/page.ts';
import { readTyped } from '../state/readTyped.ts';
import type { Requests } from '../state/requests.ts';
import type { Login } from '../state/session.ts';
import { type PayStep, payIn, readHoldings } from '../wallet/payIn.ts';
import { moneyMessages } from './moneyMessages.ts';
import { openWalletOfLogin } from './walletOfLogin.ts';

export type VaultTerms = Awaited<ReturnType<Requests['getVault']>>['vault'];
export type BoundVault = NonNullable<VaultTerms['vault']>;

type DepositFormProps = { readonly login: Login; readonly vault: BoundVault };

const money = { decimals: 6, step: 1 } as const;
const usdt = (units: bigint): string => grouping(trimmed(plainText(units, money.decimals)));

/** Pays in; gives why it was not done, or nothing. */
async function deposit(
  page: Page,
  { login, vault }: DepositFormProps,
  units: bigint,
  onStep: (step: PayStep) => void,
): Promise<string> {
  const text = moneyMessages();
  try {
    const provider = await openWalletOfLogin(page, login);
    const scale = 10n ** BigInt(vault.token_decimals - money.decimals);
    const { address: owner } = login;
    const { chainId } = page.facts;
    const place = { vault: vault.address, token: vault.token, scale };
    const paying = { ...place, provider, owner, chainId };
    const { balance, allowance, minimum } = await readHoldings(paying);
    if (units < minimum) return text.belowMinimum(usdt(minimum));
    if (units > balance) return text.notEnough(usdt(balance));
    await payIn(paying, { units, allowance }, onStep);
    page.notices.say({ kind: 'good', title: text.deposited(usdt(units)), text: text.whenFinal });
    return '';
  } catch (error) {
    return failureText(error);
  }
}

export function DepositForm(props: DepositFormProps) {
  const page = usePage();
  const [typed, setTyped] = useState('');
  const { step, problem } = page.deposit.value;
  const text = moneyMessages();
  const reading = readTyped(typed, money);
  const isBad = reading.kind !== 'steps' && reading.kind !== 'empty';
  const submit = async (): Promise<void> => {
    if (reading.kind !== 'steps') return;
    const show = (now: DepositState['step'], why = ''): void => {
      page.deposit.value = { step: now, problem: why };
    };
    show('open');
    const refused = await deposit(page, props, reading.steps, show);
    show('typing', refused);
    if (refused === '') setTyped('');
  };
  return (
    <form
      class="account-form"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <NumberField
        label={text.depositAmount}
        value={typed}
        onType={setTyped}
        disabled={step !== 'typing'}
        problem={isBad ? text.problems[reading.kind] : ''}
      />
      <Problem text={problem} />
      {step !== 'typing' && <p role="status">{text.depositSteps[step]}</p>}
      <button
        type="submit"
        class="button button-main"
        disabled={step !== 'typing' || reading.kind !== 'steps'}
      >
        {text.depositNow}
      </button>
    </form>
  );
}
