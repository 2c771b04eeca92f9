// Writes funding as CSV: first what was settled, then the rate of the running interval twice a
// second.
//
//   node fundingRecorder.ts http://127.0.0.1:8080 BTCUSDT 60 > funding.csv

import { createClient, createStreamClient } from '@evermark/client';
import { pause, readSetting } from './setting.ts';

const { baseUrl, socketUrl, symbol, duration } = readSetting();
const client = createClient({ baseUrl });

const write = (...fields: readonly (string | number)[]): void => console.log(fields.join(','));

write('kind', 'time', 'symbol', 'rate', 'mark');
for (const row of await client.fapi.getFundingRate({ symbol, limit: 100 })) {
  write('settled', new Date(row.fundingTime).toISOString(), symbol, row.fundingRate, row.markPrice);
}
const streams = createStreamClient({ url: `${socketUrl}/ws` });
streams.subscribe(`prices:${symbol}`, ({ time, funding_rate, mark_price }) => {
  write('running', new Date(time).toISOString(), symbol, funding_rate, mark_price);
});
await pause(duration);
streams.close();
