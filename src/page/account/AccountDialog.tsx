// What belongs to the account beside trading: who is signed in, API keys, sessions, referral, fees,
// deposits and withdrawals, the proof of what is owed.

import type { ComponentType } from 'preact';
import { useId, useState } from 'preact/hooks';
import { Dialog } from '../components/Dialog.tsx';
import { Tabs } from '../components/Tabs.tsx';
import type { Login } from '../state/session.ts';
import './account.css';
import { AccessView } from './AccessView.tsx';
import { ApiKeysView } from './ApiKeysView.tsx';
import { accessMessages } from './accessMessages.ts';
import { FeesView } from './FeesView.tsx';
import { MoneyView } from './MoneyView.tsx';
import { ProofView } from './ProofView.tsx';
import { ReferralView } from './ReferralView.tsx';
import { SessionsView } from './SessionsView.tsx';

export type AccountViewProps = { readonly login: Login; readonly onClose: () => void };

const views = {
  access: AccessView,
  money: MoneyView,
  proof: ProofView,
  keys: ApiKeysView,
  sessions: SessionsView,
  referral: ReferralView,
  fees: FeesView,
} as const satisfies Readonly<Record<string, ComponentType<AccountViewProps>>>;

type ViewName = keyof typeof views;

const names = Object.keys(views) as readonly ViewName[];

export function AccountDialog(props: AccountViewProps) {
  const [chosen, setChosen] = useState<ViewName>('access');
  const panel = useId();
  const text = accessMessages();
  const View = views[chosen];
  return (
    <Dialog title={text.account} onClose={props.onClose} wide>
      <Tabs
        label={text.account}
        items={names.map((id) => ({ id, label: text.views[id] }))}
        chosen={chosen}
        onChoose={setChosen}
        panel={panel}
      />
      <div class="account-view" role="tabpanel" id={panel} aria-label={text.views[chosen]}>
        <View {...props} />
      </div>
    </Dialog>
  );
}
