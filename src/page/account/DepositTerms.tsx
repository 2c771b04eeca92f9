// What the contract takes and pays at once, beside the forms for deposits and withdrawals.

import { Fragment } from 'preact';
import { cut, grouping, trimmed } from '../state/grouping.ts';
import type { Requests } from '../state/requests.ts';
import { moneyMessages } from './moneyMessages.ts';

/** null: this process has not read them. */
export type ContractTerms = Awaited<ReturnType<Requests['getVault']>>['terms'];

type TermsProps = { readonly terms: ContractTerms };

const usdt = (amount: string): string => `${grouping(trimmed(amount))} USDT`;

export function DepositTerms({ terms }: TermsProps) {
  if (terms === null) return null;
  const text = moneyMessages();
  const { deposit_min: least, final_depth: depth } = terms;
  return (
    <Facts
      facts={[
        [text.leastDeposit, usdt(least)],
        [text.creditedWhen, depth === null ? text.whenChainFinal : text.whenDeep(depth)],
      ]}
    />
  );
}

export function WithdrawTerms({ terms }: TermsProps) {
  if (terms === null) return null;
  const text = moneyMessages();
  return (
    <Facts
      facts={[
        [text.atOnceEach, usdt(terms.instant_max)],
        [text.atOnceNow, text.ofDay(cut(terms.bucket_level, 2), usdt(terms.bucket_capacity))],
        [text.otherwise, text.waits(terms.queue_delay)],
      ]}
    />
  );
}

function Facts({ facts }: { facts: readonly (readonly [string, string])[] }) {
  return (
    <dl class="account-facts">
      {facts.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
