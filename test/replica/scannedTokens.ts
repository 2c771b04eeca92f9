// The tokens of a source by TypeScript's own scanner. A parser says where a `/` begins a regular
// expression and where a `}` continues with a template, which a scanner cannot know.

import { parseAst } from 'rolldown/parseAst';
import { SyntaxKind } from 'typescript/unstable/ast';
import { createScanner } from 'typescript/unstable/ast/scanner';

/** Without comments and white space; throws for what is not TypeScript. */
export function scannedTokens(text: string): string[] {
  const starts = startsOf(parseAst(text, { lang: 'ts' }));
  const scanner = createScanner(true);
  scanner.setText(text);
  const tokens: string[] = [];
  for (;;) {
    let kind = scanner.scan();
    if (kind === SyntaxKind.EndOfFile) return tokens;
    const start = scanner.getTokenStart();
    if (kind === SyntaxKind.SlashToken || kind === SyntaxKind.SlashEqualsToken) {
      if (starts.has(start)) kind = scanner.reScanSlashToken();
    } else if (kind === SyntaxKind.CloseBraceToken && starts.has(start)) {
      kind = scanner.reScanTemplateToken(false);
    }
    tokens.push(scanner.getTokenText());
  }
}

/** Where regular expressions and the pieces of templates begin. */
function startsOf(node: unknown, starts = new Set<number>()): Set<number> {
  if (typeof node !== 'object' || node === null) return starts;
  const { type, regex, start } = node as { type?: string; regex?: unknown; start?: number };
  if (type === 'TemplateElement' || (type === 'Literal' && regex !== undefined)) starts.add(start!);
  for (const value of Object.values(node)) startsOf(value, starts);
  return starts;
}
