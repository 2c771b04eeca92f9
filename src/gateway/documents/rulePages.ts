// The pages of the rules, and the list of them, from the Markdown of docs/rules.

import { escaped } from './documentFrame.ts';
import { type MarkdownPlaces, markdownHtml, ruleCodesOf } from './markdownHtml.ts';

/** By the name of the file without its ending: the text. `README` lists the others. */
export type RuleTexts = ReadonlyMap<string, string>;

const folder = '/docs/rules';
const index = 'README';

/** HTML by path. */
export function rulePages(texts: RuleTexts): ReadonlyMap<string, string> {
  const places = placesOf(texts);
  const pages = new Map([[folder, indexHtml(texts)]]);
  for (const [name, text] of texts) {
    if (name !== index) pages.set(`${folder}/${name}`, markdownHtml(text, places));
  }
  return pages;
}

/** Where links and codes of rules lead, from any document. */
export function placesOf(texts: RuleTexts): MarkdownPlaces {
  const rules = new Map<string, string>();
  for (const [name, text] of texts) {
    for (const code of ruleCodesOf(text)) rules.set(code, `${folder}/${name}#${code}`);
  }
  return {
    ruleOf: (code) => rules.get(code),
    linkOf: (href) => {
      if (/^(?:\/|#|https?:)/.test(href)) return href;
      const name = /(?:^|\/)([\w-]+)\.md$/.exec(href)?.[1];
      if (name === undefined) return undefined;
      if (name === 'glossary') return '/docs/glossary';
      return texts.has(name) ? `${folder}/${name}` : undefined;
    },
  };
}

/** The lines of the table in the index: a page, and what its rules are about. */
const listed = /^\| \[([\w-]+)\.md\]\([^)]*\) \| ([^|]+) \|/gm;

function indexHtml(texts: RuleTexts): string {
  const text = texts.get(index) ?? '';
  const lines = Array.from(text.matchAll(listed), ([, name, about]) => {
    const title = /^# (.+)$/m.exec(texts.get(name!) ?? '')?.[1] ?? name!;
    const link = `<a href="${folder}/${name}">${escaped(title)}</a>`;
    return `<tr><td>${link}</td><td>${escaped(about!)}</td></tr>`;
  });
  return (
    '<h1>Rules</h1><p>What the exchange does with orders, money and prices, in numbered rules. ' +
    'Each rule has a code, says how numbers are computed and rounded, and names the test that ' +
    'proves it. The <a href="/docs/glossary">glossary</a> defines the terms.</p>' +
    '<table><thead><tr><th>Page</th><th>Rules</th></tr></thead>' +
    `<tbody>${lines.join('')}</tbody></table>`
  );
}
