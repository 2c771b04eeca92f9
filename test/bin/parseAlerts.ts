// Reads alert rules in the part of YAML that they are written in: one member a line, texts plain or
// in double quotes. A line of another form is an error, so that nothing is passed over.

export type AlertRule = {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly severity: string;
  readonly summary: string;
  readonly description: string;
};

type Member = keyof AlertRule;

/** The allowed kinds of lines, by indentation. */
const forms: readonly (readonly [RegExp, Member | undefined])[] = [
  [/^(#.*)?$/, undefined],
  [/^groups:$/, undefined],
  [/^ {2}- name: [a-z]+$/, undefined],
  [/^ {4}rules:$/, undefined],
  [/^ {6}- alert: ([A-Z]\w+)$/, 'alert'],
  [/^ {8}expr: ([^\s#'"].*)$/, 'expr'],
  [/^ {8}for: (\d+[smh])$/, 'for'],
  [/^ {8}(?:labels|annotations):$/, undefined],
  [/^ {10}severity: (\w+)$/, 'severity'],
  [/^ {10}summary: (.+)$/, 'summary'],
  [/^ {10}description: (.+)$/, 'description'],
];

/** Throws at a line that it does not understand, and at a text that YAML would read otherwise. */
export function parseAlerts(text: string): readonly AlertRule[] {
  const rules: Partial<Record<Member, string>>[] = [];
  for (const [number, line] of text.split('\n').entries()) {
    const form = forms.find(([pattern]) => pattern.test(line));
    if (form === undefined) throw new Error(`line ${number + 1} is no part of a rule: ${line}`);
    const [pattern, member] = form;
    if (member === undefined) continue;
    if (member === 'alert') rules.push({});
    const rule = rules.at(-1);
    if (rule === undefined) throw new Error(`line ${number + 1} stands before the first rule`);
    rule[member] = plainText(pattern.exec(line)![1]!, number + 1);
  }
  return rules.map((rule) => {
    const { alert = '', expr = '', severity = '', summary = '', description = '' } = rule;
    return { alert, expr, for: rule.for ?? '0s', severity, summary, description };
  });
}

/** A quoted text without its quotes; in a plain one no mark may mean something to YAML. */
function plainText(written: string, line: number): string {
  if (/^"[^"\\]*"$/.test(written)) return written.slice(1, -1);
  if (/^["'{[&*!|>%@`]|: |\s#|:$/.test(written)) throw new Error(`line ${line} needs quotes`);
  return written;
}
