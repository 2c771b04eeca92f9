// Deposits and withdrawals, as far as the deployment has them: where money comes from, a request
// for a withdrawal, and the last ones with their states.

import { Fragment } from 'preact';
import { AnswerView } from '../components/AnswerView.tsx';
import { PlainTable } from '../components/PlainTable.tsx';
import type { Column } from '../components/Table.tsx';
import { TransactionText } from '../components/TransactionText.tsx';
import { useAnswer } from '../components/useAnswer.ts';
import { usePage } from '../components/usePage.tsx';
import { cut, grouping, trimmed } from '../state/grouping.ts';
import type { Requests } from '../state/requests.ts';
import type { Login } from '../state/session.ts';
import { dateText } from '../state/timeText.ts';
import { historyMessages } from '../tables/historyMessages.ts';
import type { AccountViewProps } from './AccountDialog.tsx';
import { type BoundVault, DepositForm, type VaultTerms } from './DepositForm.tsx';
import { type ContractTerms, DepositTerms, WithdrawTerms } from './DepositTerms.tsx';
import { FaucetButton } from './FaucetButton.tsx';
import { moneyMessages } from './moneyMessages.ts';
import { WithdrawForm } from './WithdrawForm.tsx';

type Withdrawal = Awaited<ReturnType<Requests['listWithdrawals']>>[number];

/** The whole list is a table at the bottom of the page. */
const withdrawalsShown = 10;

export function MoneyView({ login }: AccountViewProps) {
  const { requests, account: copy } = usePage();
  const account = useAnswer(() => requests.getNativeAccount(), [login.address]);
  const withdrawals = useAnswer(
    () => requests.listWithdrawals({ limit: withdrawalsShown }),
    [login.address, copy.transfers.value],
  );
  const vault = useAnswer(() => requests.getVault(), [copy.transfers.value]);
  const text = moneyMessages();
  const faucet = account.answer?.faucet ?? null;
  return (
    <>
      <h3>{text.deposit}</h3>
      {faucet !== null && (
        <div class="account-acts">
          <p>{text.faucet(cut(faucet, 0))}</p>
          <FaucetButton />
        </div>
      )}
      <AnswerView of={vault}>
        {({ vault: bound, terms }) => (
          <>
            <Deposits login={login} vault={bound.vault} terms={terms} />
            <WithdrawForm login={login} onDone={withdrawals.again}>
              <p class="muted">{hintOf(bound)}</p>
              <WithdrawTerms terms={terms} />
            </WithdrawForm>
          </>
        )}
      </AnswerView>
      <AnswerView of={withdrawals}>
        {(rows) => (
          <PlainTable
            label={text.withdrawals}
            columns={rows.some(({ chain }) => chain !== null) ? chainColumns : columns}
            rows={rows.toReversed()}
            keyOf={({ id }) => id}
            empty={text.noWithdrawals}
          />
        )}
      </AnswerView>
    </>
  );
}

type DepositsProps = {
  readonly login: Login;
  readonly vault: BoundVault | null;
  readonly terms: ContractTerms;
};

/** Where money comes from: the wallet and a contract, or the operator. */
function Deposits({ login, vault, terms }: DepositsProps) {
  const { facts } = usePage();
  const text = moneyMessages();
  if (vault === null) {
    return (
      <>
        <p class="muted">{facts.isTestnet ? text.depositTestnet : text.depositMainnet}</p>
        <p class="whole-text code">{login.address}</p>
      </>
    );
  }
  const places = [
    [text.contract, vault.address],
    [text.token, vault.token],
    [text.yourAddress, login.address],
  ] as const;
  return (
    <>
      <p class="muted">{text.depositVault}</p>
      <DepositTerms terms={terms} />
      {login.kind === 'injected' && <DepositForm login={login} vault={vault} />}
      <p class="muted">{text.depositElsewhere}</p>
      <dl class="account-facts">
        {places.map(([name, address]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd class="whole-text code">{address}</dd>
          </Fragment>
        ))}
      </dl>
    </>
  );
}

function hintOf({ vault, withdrawal_min: least, withdrawal_fee: fee }: VaultTerms): string {
  const text = moneyMessages();
  if (vault === null) return text.withdrawHint;
  return text.withdrawVaultHint(grouping(trimmed(least)), grouping(trimmed(fee)));
}

const columns: readonly Column<Withdrawal>[] = [
  {
    id: 'time',
    title: () => moneyMessages().time,
    cell: ({ time }, { preferences }) => (
      <span class="muted">{dateText(time, preferences.clock.value)}</span>
    ),
  },
  {
    id: 'amount',
    title: () => moneyMessages().amount,
    isNumber: true,
    cell: ({ amount }) => cut(amount, 6),
  },
  {
    id: 'status',
    title: () => moneyMessages().status,
    cell: ({ status, chain }, { preferences }) => {
      const text = moneyMessages();
      const ready = chain?.ready_at ?? null;
      const isWaiting = chain?.status === 'queued' && ready !== null;
      return (
        <span class={status === 'pending' ? 'warn' : undefined}>
          {isWaiting
            ? text.readyAt(dateText(ready * 1000, preferences.clock.value))
            : historyMessages().transferStatuses[chain?.status ?? status]}
        </span>
      );
    },
  },
];

const chainColumns: readonly Column<Withdrawal>[] = [
  ...columns,
  {
    id: 'transaction',
    title: () => moneyMessages().transaction,
    cell: ({ chain }) =>
      chain?.transaction_hash == null ? '–' : <TransactionText hash={chain.transaction_hash} />,
  },
];
