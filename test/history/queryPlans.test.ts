// Every query reads by an index, and gets its rows from it in the order in which it gives them, so
// that a page costs its rows and not the table's; and an index finds what a client filters by, so
// that a page costs none of the account's other rows. Method: both databases explain each statement
// that a query sends; PostgreSQL is kept from plans that small tables would tempt it to.

import { CompiledQuery, type KyselyPlugin, type RootOperationNode } from 'kysely';
import { expect } from 'vitest';
import { openHistoryReader } from '../../src/history/openHistoryReader.ts';
import { openHistoryWriter } from '../../src/history/openHistoryWriter.ts';
import { type HistoryQueries, historyQueries } from '../../src/history/queries/historyQueries.ts';
import type { AmendmentRow } from '../../src/history/rows.ts';
import { tables } from '../../src/history/tables.ts';
import { noHistoryRows } from '../fixtures/drawHistoryRows.ts';
import { eachDatabase } from '../fixtures/eachDatabase.ts';

type Asked = { readonly detail?: string } & Readonly<Record<string, unknown>>;

const account = 1;
const market = 0;
const limit = 500;
const from = { id: 7, createdAt: 1000 };
const times = { startTime: 1000, endTime: 2000 };
const windows: readonly Asked[] = [
  { limit },
  { limit, from },
  { limit, ...times },
  { limit, endTime: 2000 },
];
const anywhere: readonly Asked[] = [{}, { market }];
const inEach = (each: readonly Asked[], more: Asked): readonly Asked[] =>
  each.flatMap((one) => windows.map((window) => ({ ...more, ...one, ...window })));

/** What each query may be asked for. */
const questions: Readonly<Record<keyof HistoryQueries, readonly Asked[]>> = {
  orders: inEach([...anywhere, { status: 'FILLED' }, { market, status: 'CANCELED' }], { account }),
  orderById: [{ id: 5 }],
  orderByClientId: [
    { account, clientOrderId: 'mine', market },
    { account, clientOrderId: 'em00000000000000000005' },
  ],
  triggers: inEach(
    [...anywhere, { status: 'CANCELED' }, { market, status: 'FAILED' }, { market, earliest: 900 }],
    { account },
  ),
  triggerById: [{ account, id: 5 }],
  triggerByClientId: [{ account, clientOrderId: 'mine' }],
  fills: [
    ...[...anywhere, { market, order: from }].flatMap((each) => [
      { account, ...each, limit },
      { account, ...each, limit, ...times },
    ]),
    { account, market, fromId: 5, limit },
  ],
  ledger: inEach(anywhere, { account }),
  income: inEach(anywhere, { account, kinds: ['fee', 'funding'], page: 3 }),
  amendments: [
    { order: 5, limit },
    { order: 5, limit, startTime: 1, endTime: 2000 },
  ],
  fundingPayments: inEach(anywhere, { account }),
  forceOrders: inEach([...anywhere, { autoCloseType: 'ADL' }], { account }),
  withdrawals: inEach([{}], { account }),
  deposits: inEach([{}], { account }),
  referralDays: [
    { account, limit },
    { account, limit, ...times },
    { account, limit, endTime: 2000 },
  ],
  trades: [
    { market, limit },
    { market, limit, fromId: 5 },
    { market, limit, ...times },
  ],
  aggregates: [
    { market, limit },
    { market, limit, fromId: 5 },
    { market, limit, ...times },
  ],
  candles: [{ market, kind: 'trade', interval: '1h', from: 1000, to: 2000, limit }],
  fundingRates: inEach(anywhere, {}),
  deleveragings: inEach(anywhere, {}),
};

/**
 * A walk over a table, or a sort of more than rows of one time: those are `LAST` and incremental.
 */
const unindexed = /seq scan|scan \w+$|temp b-tree for (?!last)|^ *(->)? *sort/im;
/** What halving asks at each step, which PostgreSQL does not explain. */
const stepOfHalving = /^\s*with recursive .*case when \((.*)\) </s;
/**
 * Some queries sort what was found by an index and limited: aggregates are made of no more trades
 * than those asked for have, the ledger of as many rows and fills as it gives, and the last order
 * of a name of those that had it.
 */
const sorting =
  /use temp b-tree for (group|order) by|^ *(->)? *(incremental )?sort.*|scan (told|part)$/gim;
const sorts = /group by|as "(told|part)"|"client_order_id" = /;
const byName = /_by_account_client_order_id/;

/** Columns that a client filters by. */
const filters = ['account', 'market', 'status', 'order'] as const;
/**
 * Queries that drop rows after an index has found them: of a liquidated account, each row of which
 * was a liquidation, and of one name, of which at most `namesakesMax` rows are read.
 */
const dropping: ReadonlySet<string> = new Set(['forceOrders', 'orderByClientId']);

/** The filters of the question that the plan does not look up in an index. */
function filtersDropped(plan: string, asked: Asked): readonly string[] {
  const looked = plan
    .split('\n')
    .filter((line) =>
      /(search .* using|index cond).*(\b(account|order)"?|account \+ 0\)|<expr>) ?=/i.test(line),
    )
    // One row, by everything that distinguishes it.
    .filter((line) => !/\btime"? ?= ?(\?|fills)/.test(line));
  return filters.filter((name) => {
    if (asked[name] === undefined || looked.length === 0) return false;
    // Fills of an order have one account and one market.
    if (name !== 'order' && asked.order !== undefined) return false;
    // The account as an expression: queries/ofAccount.ts.
    const other = name === 'account' ? '|<expr>=|account \\+ 0\\) =' : '';
    const column = new RegExp(`\\b"?${name}"? ?=${other}`);
    return looked.some((line) => !column.test(line));
  });
}

const noEasyWay = '-c enable_seqscan=off -c enable_bitmapscan=off -c enable_sort=off';

eachDatabase('ORD-12 every query uses an index in the order of its rows', async (database) => {
  const { databaseUrl } = database;
  const writer = openHistoryWriter({ ...database, chain: 43113 });
  // The amendments before a page are counted only when there is one.
  const { columns } = tables.amendments;
  const values = Object.keys(columns).map((name) => [name, name === 'clientOrderId' ? '' : 5]);
  const amendments = [Object.fromEntries(values) as AmendmentRow];
  const place = await writer.open();
  await writer.write({ ...noHistoryRows, amendments }, place, { ...place, position: 1 });
  const options = encodeURIComponent(noEasyWay);
  const reader = openHistoryReader({
    ...database,
    databaseUrl: databaseUrl === undefined ? undefined : `${databaseUrl}?options=${options}`,
  });
  const nodes: RootOperationNode[] = [];
  const watch: KyselyPlugin = {
    transformQuery: ({ node }) => {
      nodes.push(node);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const explain = database.kind === 'sqlite' ? 'explain query plan' : 'explain (costs off)';
  let statements = 0;
  let counting = 0;
  for (const [name, each] of Object.entries(questions)) {
    for (const asked of each) {
      nodes.length = 0;
      const query = historyQueries[name as keyof HistoryQueries];
      await (query as (on: typeof reader, asked: Asked) => unknown)(
        reader.withPlugin(watch),
        asked,
      );
      expect(nodes.length, name).toBeGreaterThan(0);
      for (const node of nodes.slice()) {
        const { sql, parameters } = reader.getExecutor().compileQuery(node, { queryId: name });
        const step = stepOfHalving.exec(sql)?.[1]?.replace('low + step', '7');
        const explained = CompiledQuery.raw(
          `${explain} ${step ?? sql}`,
          parameters.slice(0, step === undefined ? undefined : 1),
        );
        const { rows } = await reader.executeQuery<Asked>(explained);
        const plan = rows.map((row) => String(row.detail ?? Object.values(row)[0])).join('\n');
        const reported = `${name} ${JSON.stringify(asked)}: ${sql}\n${plan}`;
        expect(plan, reported).toMatch(/index|primary key/i);
        const walked = sorts.test(sql) ? plan.replace(sorting, '') : plan;
        expect(walked, reported).not.toMatch(unindexed);
        if (!dropping.has(name)) expect(filtersDropped(plan, asked), reported).toEqual([]);
        if (sql.includes('"client_order_id" = ')) expect(plan, reported).toMatch(byName);
        statements += 1;
        if (name === 'amendments' && sql.includes('count(*)')) counting += 1;
      }
    }
  }
  expect(statements).toBeGreaterThan(100);
  expect(counting).toBe(2);
  await reader.destroy();
  await writer.close();
});
