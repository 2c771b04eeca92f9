// The fees of the account: its tier, its rates on each market, and the table of tiers.

import { AnswerView } from '../components/AnswerView.tsx';
import { PlainTable } from '../components/PlainTable.tsx';
import type { Column } from '../components/Table.tsx';
import { useAnswer } from '../components/useAnswer.ts';
import { usePage } from '../components/usePage.tsx';
import { cut, percentOf } from '../state/grouping.ts';
import type { Requests } from '../state/requests.ts';
import type { AccountViewProps } from './AccountDialog.tsx';
import { feeMessages } from './feeMessages.ts';

type Fees = Awaited<ReturnType<Requests['getFeeInfo']>>;
type Rate = Fees['rates'][number];
type Tier = Fees['tiers'][number] & { readonly number: number };

export function FeesView({ login }: AccountViewProps) {
  const { requests } = usePage();
  const fees = useAnswer(() => requests.getFeeInfo({}), [login.address]);
  const text = feeMessages();
  return (
    <AnswerView of={fees}>
      {({ fee_tier, volume_14d, rates, tiers }) => (
        <>
          <dl class="account-facts">
            <dt>{text.tier}</dt>
            <dd>{fee_tier}</dd>
            <dt>{text.volume}</dt>
            <dd>{cut(volume_14d, 2)} USDT</dd>
          </dl>
          <PlainTable
            label={text.rates}
            columns={rateColumns}
            rows={rates}
            keyOf={({ symbol }) => symbol}
            empty=""
          />
          <h3>{text.tiers}</h3>
          <PlainTable
            label={text.tiers}
            columns={tierColumns}
            rows={tiers.map((tier, number) => ({ ...tier, number }))}
            keyOf={({ number }) => String(number)}
            empty=""
            isMarked={({ number }) => number === fee_tier}
          />
        </>
      )}
    </AnswerView>
  );
}

const rateColumns: readonly Column<Rate>[] = [
  { id: 'market', title: () => feeMessages().market, cell: ({ symbol }) => symbol },
  {
    id: 'maker',
    title: () => feeMessages().maker,
    isNumber: true,
    cell: ({ maker_commission_rate }) => percentOf(maker_commission_rate),
  },
  {
    id: 'taker',
    title: () => feeMessages().taker,
    isNumber: true,
    cell: ({ taker_commission_rate }) => percentOf(taker_commission_rate),
  },
];

const tierColumns: readonly Column<Tier>[] = [
  { id: 'number', title: () => feeMessages().tier, cell: ({ number }) => number },
  {
    id: 'volume',
    title: () => feeMessages().fromVolume,
    isNumber: true,
    cell: ({ min_volume }) => cut(min_volume, 0),
  },
  {
    id: 'maker',
    title: () => feeMessages().makerDiscount,
    isNumber: true,
    cell: ({ maker_discount }) => percentOf(maker_discount),
  },
  {
    id: 'taker',
    title: () => feeMessages().takerDiscount,
    isNumber: true,
    cell: ({ taker_discount }) => percentOf(taker_discount),
  },
];
