// The tables of the account, one at a time.

import { useId, useState } from 'preact/hooks';
import { saveText } from '../components/saveText.ts';
import { Tabs } from '../components/Tabs.tsx';
import { usePage } from '../components/usePage.tsx';
import { tableMessages } from './tableMessages.ts';
import { tableTabs } from './tableTabs.ts';

export function AccountTables() {
  const page = usePage();
  const [chosen, setChosen] = useState('positions');
  const panel = useId();
  const text = tableMessages();
  const tab = tableTabs.find(({ id }) => id === chosen);
  const csv = page.session.login.value === undefined ? undefined : tab?.csv;
  return (
    <section class="panel tables" aria-label={text.tables}>
      <div class="panel-head">
        <Tabs
          label={text.tables}
          items={tableTabs.map(({ id, title, count }) => ({
            id,
            label: title(),
            count: count?.(page),
          }))}
          chosen={chosen}
          onChoose={setChosen}
          panel={panel}
        />
        {csv !== undefined && (
          <button
            type="button"
            class="button-small"
            title={text.csv}
            onClick={() => saveText(`evermark-${chosen}.csv`, csv(page) ?? '')}
          >
            CSV
          </button>
        )}
      </div>
      <div class="panel-body" role="tabpanel" id={panel} aria-label={tab?.title()}>
        {tab !== undefined && <tab.Content />}
      </div>
    </section>
  );
}
