// What general audits of pages ask for without a clock, as those of Lighthouse do under "best
// practices": the browser complains of nothing, nothing of another origin is asked for, files are
// compressed and kept, the document says what it is, headers bind scripts. Times are measured by
// bench/page/measureAudits.ts; what people see and hear is judged by findViolations.ts.

import type { CDPSession, Page, Response } from 'playwright-core';
import { judgeAnswer } from './judgeAnswer.ts';
import { judgeDocument, noteQuestions } from './judgeDocument.ts';

export type PracticeWatch = {
  /** Everything found since the watch began, as sentences. */
  readonly findings: () => Promise<string[]>;
};

/** Before the page is opened. */
export async function watchPractice(page: Page): Promise<PracticeWatch> {
  const session = await page.context().newCDPSession(page);
  const complaints = await watchBrowser(session);
  const scripts = await watchScripts(session);
  const responses: Response[] = [];
  page.on('response', (response) => responses.push(response));
  const sockets: string[] = [];
  page.on('websocket', (socket) => sockets.push(socket.url()));
  await page.addInitScript({ content: noteQuestions });
  return {
    findings: async () => {
      const { host } = new URL(page.url());
      const answers = await Promise.all(responses.map((each) => judgeAnswer(each, host)));
      const foreign = sockets.filter((url) => new URL(url).host !== host);
      return [
        ...complaints,
        ...answers.flat(),
        ...foreign.map((url) => `a socket of another origin: ${url}`),
        ...((await page.evaluate(judgeDocument)) as string[]),
        ...(await findListeners(session, scripts)),
      ];
    },
  };
}

/** Issues, deprecated or discouraged interfaces, errors: all that developer tools would show. */
async function watchBrowser(session: CDPSession): Promise<readonly string[]> {
  const complaints: string[] = [];
  session.on('Audits.issueAdded', ({ issue: { code, details } }) => {
    complaints.push(`${code}: ${JSON.stringify(details)}`);
  });
  session.on('Log.entryAdded', ({ entry: { level, source, text, url } }) => {
    // Answers of the exchange are judged one by one.
    if (source === 'network' || !['warning', 'error', 'violation'].includes(level)) return;
    complaints.push(`${source} ${level}: ${text} ${url ?? ''}`);
  });
  session.on('Runtime.exceptionThrown', ({ exceptionDetails: { text, exception } }) => {
    complaints.push(`exception: ${exception?.description ?? text}`);
  });
  session.on('Runtime.consoleAPICalled', ({ type, args }) => {
    if (type === 'warning' || type === 'error' || type === 'assert')
      complaints.push(`console ${type}: ${String(args[0]?.value)}`);
  });
  for (const domain of ['Audits', 'Log', 'Runtime', 'DOM'] as const) {
    await session.send(`${domain}.enable`);
  }
  const config = (['discouragedAPIUse', 'blockedParser'] as const).map((name) => ({
    name,
    threshold: -1,
  }));
  await session.send('Log.startViolationsReport', { config });
  return complaints;
}

/** They keep a browser from showing the page again at once when a person comes back. */
const hinderingReturn: ReadonlySet<string> = new Set(['unload', 'beforeunload']);
/** They hold up every scroll, unless they promise not to prevent it. */
const hinderingScroll: ReadonlySet<string> = new Set(['touchstart', 'touchmove', 'wheel']);

/** The scripts of the page by their ids: the driver of the browser has some of its own. */
async function watchScripts(session: CDPSession): Promise<ReadonlySet<string>> {
  const own = new Set<string>();
  session.on('Debugger.scriptParsed', ({ scriptId, url }) => {
    if (url.startsWith('http')) own.add(scriptId);
  });
  await session.send('Debugger.enable');
  return own;
}

/** Listeners of the whole window that make the browser wait. */
async function findListeners(session: CDPSession, own: ReadonlySet<string>): Promise<string[]> {
  const found: string[] = [];
  for (const expression of ['window', 'document', 'document.documentElement', 'document.body']) {
    const { result } = await session.send('Runtime.evaluate', { expression });
    const { objectId } = result;
    if (objectId === undefined) throw new Error(`the page has no ${expression}`);
    const { listeners } = await session.send('DOMDebugger.getEventListeners', { objectId });
    for (const { type, passive, scriptId } of listeners) {
      const hinders = hinderingReturn.has(type) || (hinderingScroll.has(type) && !passive);
      if (hinders && own.has(scriptId))
        found.push(`${expression} listens for ${type}, which makes the browser wait`);
    }
  }
  return found;
}
