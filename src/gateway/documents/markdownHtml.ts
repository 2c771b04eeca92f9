// Markdown of our own documents as HTML. It is trusted text of this checkout: nothing is removed.

import { Marked } from 'marked';
import { escaped } from './documentFrame.ts';

export type MarkdownPlaces = {
  /** Where a link of the document leads here; undefined where it leads nowhere. */
  readonly linkOf: (href: string) => string | undefined;
  /** Where the rule with this code stands; undefined when there is no such rule. */
  readonly ruleOf: (code: string) => string | undefined;
};

const ruleCode = /\b[A-Z]{2,5}-\d+[a-z]?\b/g;
const ruleHeading = /^[A-Z]{2,5}-\d+[a-z]?$/;
/** What proves a rule, below its text. */
const proof = /^(?:Scenario|Test|Tests|Simulation|Bench): /;

/** Headings have an id: the code of their rule, or their words with dashes between them. */
export function markdownHtml(text: string, { linkOf, ruleOf }: MarkdownPlaces): string {
  let isInLink = false;
  const withRules = (html: string): string =>
    isInLink
      ? html
      : html.replace(ruleCode, (code) => {
          const place = ruleOf(code);
          return place === undefined ? code : `<a href="${place}">${code}</a>`;
        });
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text: heading }) {
        isInLink = true;
        const inner = this.parser.parseInline(tokens);
        isInLink = false;
        // A rule stands right below the title of its page.
        const isRule = ruleHeading.test(heading);
        const level = isRule ? 2 : depth;
        const kind = isRule ? ' class="rule"' : '';
        return `<h${level} id="${idOf(heading)}"${kind}>${inner}</h${level}>`;
      },
      link({ href, tokens }) {
        const place = linkOf(href);
        isInLink = true;
        const inner = this.parser.parseInline(tokens);
        isInLink = false;
        return place === undefined ? inner : `<a href="${escaped(place)}">${inner}</a>`;
      },
      paragraph({ tokens, text: paragraph }) {
        const kind = proof.test(paragraph) ? ' class="proof"' : '';
        return `<p${kind}>${this.parser.parseInline(tokens)}</p>`;
      },
      text(token) {
        if ('tokens' in token && token.tokens !== undefined) {
          return this.parser.parseInline(token.tokens);
        }
        return withRules(escaped(token.raw));
      },
    },
  });
  return marked.parse(text, { async: false });
}

/** The codes of the rules that a document states. */
export function ruleCodesOf(text: string): readonly string[] {
  return Array.from(text.matchAll(/^### ([A-Z]{2,5}-\d+[a-z]?)$/gm), ([, code]) => code!);
}

const idOf = (heading: string): string =>
  ruleHeading.test(heading) ? heading : heading.toLowerCase().replace(/[^a-z0-9]+/g, '-');
