// The logins of the account: where they are, and their end.

import { AnswerView } from '../components/AnswerView.tsx';
import { ConfirmButton } from '../components/ConfirmButton.tsx';
import { PlainTable } from '../components/PlainTable.tsx';
import type { Column } from '../components/Table.tsx';
import { useAnswer } from '../components/useAnswer.ts';
import { usePage } from '../components/usePage.tsx';
import type { Requests } from '../state/requests.ts';
import { sayFailure } from '../state/sayFailure.ts';
import { dateText } from '../state/timeText.ts';
import type { AccountViewProps } from './AccountDialog.tsx';
import { sessionMessages } from './sessionMessages.ts';

type SessionRow = Awaited<ReturnType<Requests['listSessions']>>[number];

export function SessionsView({ login }: AccountViewProps) {
  const page = usePage();
  const { requests } = page;
  const sessions = useAnswer(() => requests.listSessions(), [login.token]);
  const text = sessionMessages();
  const act = async (send: () => Promise<unknown>): Promise<void> => {
    try {
      await send();
    } catch (error) {
      sayFailure(page, text.refused, error);
    }
    sessions.again();
  };
  const endOne = ({ id }: SessionRow) => act(() => requests.endSession({ id }));
  return (
    <>
      <p class="muted">{text.about}</p>
      <AnswerView of={sessions}>
        {(rows) => (
          <>
            <PlainTable
              label={text.sessions}
              columns={columnsOf(endOne)}
              rows={rows}
              keyOf={({ id }) => id}
              empty={text.none}
              isMarked={({ current }) => current}
            />
            {rows.some(({ current }) => !current) && (
              <div class="account-acts">
                <ConfirmButton
                  name={text.endOthers}
                  question={text.endOthersQuestion}
                  act={() => act(() => requests.endOtherSessions())}
                />
              </div>
            )}
          </>
        )}
      </AnswerView>
    </>
  );
}

function columnsOf(endOne: (row: SessionRow) => Promise<void>): readonly Column<SessionRow>[] {
  return [
    {
      id: 'agent',
      title: () => sessionMessages().agent,
      cell: ({ user_agent }) => <span class="session-agent">{user_agent || '–'}</span>,
    },
    { id: 'address', title: () => sessionMessages().address, cell: ({ address }) => address },
    {
      id: 'created',
      title: () => sessionMessages().created,
      cell: ({ created_at }, { preferences }) => (
        <span class="muted">{dateText(created_at, preferences.clock.value)}</span>
      ),
    },
    {
      id: 'used',
      title: () => sessionMessages().used,
      cell: ({ last_used_at }, { preferences }) => (
        <span class="muted">
          {last_used_at === null ? '–' : dateText(last_used_at, preferences.clock.value)}
        </span>
      ),
    },
    {
      id: 'acts',
      title: () => sessionMessages().acts,
      isNumber: true,
      cell: (row) =>
        row.current ? (
          sessionMessages().current
        ) : (
          <ConfirmButton
            name={sessionMessages().end}
            question={sessionMessages().endQuestion}
            act={() => endOne(row)}
          />
        ),
    },
  ];
}
