// The account's API keys: what they may do, a new one, and their end.

import { useState } from 'preact/hooks';
import { AnswerView } from '../components/AnswerView.tsx';
import { ConfirmButton } from '../components/ConfirmButton.tsx';
import { PlainTable } from '../components/PlainTable.tsx';
import type { Column } from '../components/Table.tsx';
import { useAnswer } from '../components/useAnswer.ts';
import { usePage } from '../components/usePage.tsx';
import type { Page } from '../state/page.ts';
import type { Requests } from '../state/requests.ts';
import { sayFailure } from '../state/sayFailure.ts';
import { dateText } from '../state/timeText.ts';
import type { AccountViewProps } from './AccountDialog.tsx';
import { type CreatedKey, CreateKeyForm } from './CreateKeyForm.tsx';
import { keyMessages } from './keyMessages.ts';
import { SecretView } from './SecretView.tsx';

type ApiKey = Awaited<ReturnType<Requests['listApiKeys']>>[number];

export function ApiKeysView({ login }: AccountViewProps) {
  const page = usePage();
  const [created, setCreated] = useState<CreatedKey>();
  const keys = useAnswer(() => page.requests.listApiKeys(), [login.address, created]);
  const text = keyMessages();
  if (created !== undefined) {
    return <SecretView created={created} onDone={() => setCreated(undefined)} />;
  }
  return (
    <>
      <p class="muted">{text.about}</p>
      <AnswerView of={keys}>
        {(rows) => (
          <PlainTable
            label={text.keys}
            columns={columnsOf(keys.again)}
            rows={rows}
            keyOf={({ id }) => id}
            empty={text.none}
          />
        )}
      </AnswerView>
      <CreateKeyForm onCreated={setCreated} />
    </>
  );
}

function columnsOf(again: () => void): readonly Column<ApiKey>[] {
  return [
    {
      id: 'label',
      title: () => keyMessages().label,
      cell: ({ label }) => <span class="key-label">{label === '' ? '–' : label}</span>,
    },
    {
      id: 'key',
      title: () => keyMessages().key,
      cell: ({ api_key }) => <span class="muted">{shortKey(api_key)}</span>,
    },
    {
      id: 'addresses',
      title: () => keyMessages().addresses,
      cell: ({ ip_whitelist }) =>
        ip_whitelist === '' ? (
          <span class="warn">{keyMessages().everyAddress}</span>
        ) : (
          <span class="key-addresses">{ip_whitelist.replaceAll(',', ', ')}</span>
        ),
    },
    {
      id: 'status',
      title: () => keyMessages().status,
      cell: ({ status }) => keyMessages().statuses[status],
    },
    {
      id: 'created',
      title: () => keyMessages().created,
      cell: ({ created_at }, page) => <span class="muted">{shownDate(page, created_at)}</span>,
    },
    {
      id: 'used',
      title: () => keyMessages().used,
      cell: ({ last_used_at }, page) => (
        <span class="muted">
          {last_used_at === null ? keyMessages().never : shownDate(page, last_used_at)}
        </span>
      ),
    },
    {
      id: 'acts',
      title: () => keyMessages().acts,
      isNumber: true,
      cell: (key, page) => <KeyActs of={key} page={page} again={again} />,
    },
  ];
}

const shownDate = ({ preferences }: Page, date: string): string =>
  dateText(Date.parse(date), preferences.clock.value);

const shownEnds = 8;

/** The ends of a key: enough to know it by. */
const shortKey = (key: string): string => `${key.slice(0, shownEnds)}…${key.slice(-shownEnds)}`;

type KeyActsProps = {
  readonly of: ApiKey;
  readonly page: Page;
  readonly again: () => void;
};

function KeyActs({ of: { id, status }, page, again }: KeyActsProps) {
  const text = keyMessages();
  const { requests } = page;
  const act = async (send: () => Promise<unknown>): Promise<void> => {
    try {
      await send();
    } catch (error) {
      sayFailure(page, text.refused, error);
    }
    again();
  };
  const next = status === 'active' ? 'disabled' : 'active';
  return (
    <span class="row-acts">
      <button
        type="button"
        class="button-small"
        onClick={() => void act(() => requests.updateApiKey({ id, status: next }))}
      >
        {status === 'active' ? text.disable : text.enable}
      </button>
      <ConfirmButton
        name={text.revoke}
        question={text.revokeQuestion}
        act={() => act(() => requests.deleteApiKey({ id }))}
      />
    </span>
  );
}
