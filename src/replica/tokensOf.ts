// The tokens of a TypeScript source, as the engine's hash counts them: all of its text except
// comments and white space. It is exact without a parser, because it derives the meaning of a `/`
// from the tokens before it. TypeScript's own scanner is not available at run time; a test compares
// the two.

const lineBreak = /[\n\r\u2028\u2029]/;
const blank = /(?:\s+|\/\/[^\n\r\u2028\u2029]*|\/\*[\s\S]*?(?:\*\/|$))*/y;
const hashbang = /^#![^\n\r]*/;
const letter = String.raw`[A-Za-z_$]|[^\x00-\x7f\s]|\\u\{[0-9a-fA-F]+\}|\\u[0-9a-fA-F]{4}`;
const number = String.raw`0[xXoObB]\w+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?[\d_]+)?n?`;
const wordOrNumber = new RegExp(`#?(?:${letter})(?:${letter}|[0-9])*|${number}`, 'y');
const string = /'(?:[^'\\\n]+|\\[\s\S])*'?|"(?:[^"\\\n]+|\\[\s\S])*"?/y;
/** From a back quote, or from the brace that ends a substitution, to the next one or the end. */
const template = /[`}](?:[^`\\$]+|\\[\s\S]|\$(?!\{))*(?:`|\$\{|$)/y;
const regularExpression = /\/(?:[^/\\[\n]|\\[^\n]|\[(?:[^\]\\\n]|\\[^\n])*\])+\/[\w$]*/y;
/** A `>` is a token of its own, as TypeScript scans it, because it also ends a list of types. */
const punctuation =
  /\.\.\.|\*\*=|<<=|===|!==|\?\?=|&&=|\|\|=|=>|<<|<=|==|!=|\+\+|--|\*\*|&&|\|\||\?\?|\?\.(?![0-9])|[-+*/%&|^]=|[\s\S]/y;

/** Words before an expression: a `/` after them begins a regular expression. */
const beforeExpression = new Set(
  'return typeof instanceof in of new delete void throw case do else yield await default'.split(
    ' ',
  ),
);
/** Words with parentheses before a statement. */
const beforeCondition = new Set(['if', 'while', 'for', 'with', 'await']);
/** Tokens before a brace that begins a block, although an expression could follow them. */
const beforeBlock = new Set(['else', 'do', '=>', ';', '{', '}', ')', '']);
/** Words after which a line break ends a statement, or makes a name of them. */
const endedByLine = new Set(
  'return break continue throw yield async type interface declare abstract namespace module'.split(
    ' ',
  ),
);
const notAfterLine = new Set(['++', '--', '=>']);

/** What decides the meaning of a `/` and of a `}` after the tokens so far. */
type Scan = {
  /** The last token, '' at the beginning, and the token before it. */
  last: string;
  beforeLast: string;
  /** Whether the last token ends an operand, where its text does not decide that. */
  closed: boolean;
  /** For each open bracket: whether an operand ends where it closes; null: a substitution. */
  readonly open: (boolean | null)[];
};

/**
 * The tokens in order. Where a line break has a meaning in the language (`return`, `++`), it counts
 * as a token of its own, '\n'. Text that is not TypeScript always gives the same tokens.
 */
export function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  const scan: Scan = { last: '', beforeLast: '', closed: false, open: [] };
  let at = hashbang.exec(text)?.[0].length ?? 0;
  for (;;) {
    const from = at;
    at = endOfBlank(text, from);
    if (at === text.length) return tokens;
    const plain = endOfPlain(text, at);
    const end = plain > at ? plain : endOfToken(scan, text, at);
    const token = text.slice(at, end);
    const breakCounts = endedByLine.has(scan.last) || notAfterLine.has(token);
    if (breakCounts && lineBreak.test(text.slice(from, at))) tokens.push('\n');
    if (kinds[text.charCodeAt(at)] !== wordKind) followBrackets(scan, token);
    scan.beforeLast = scan.last;
    scan.last = token;
    tokens.push(token);
    at = end;
  }
}

/** The end of the match that begins at `at`; `at` itself when there is none. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** Most white space is single spaces and indentation, which need no pattern. */
function endOfBlank(text: string, from: number): number {
  let at = from;
  let code = text.charCodeAt(at);
  while (code === 32 || code === 10) {
    at += 1;
    code = text.charCodeAt(at);
  }
  return code > 47 && code < 128 ? at : endOf(blank, text, at);
}

/** The kinds of ASCII characters: part of a word, or a token on its own. */
const wordKind = 1;
const aloneKind = 2;
const kinds = new Uint8Array(128);
for (const each of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$0123456789') {
  kinds[each.charCodeAt(0)] = wordKind;
}
for (const each of '()[]{;,:>@~') kinds[each.charCodeAt(0)] = aloneKind;

/** The end of an ASCII word or a bracket, which most tokens are; `at` for any other token. */
function endOfPlain(text: string, at: number): number {
  let code = text.charCodeAt(at);
  if (kinds[code] === aloneKind) return at + 1;
  if (code < 58) return at;
  let end = at;
  while (kinds[code] === wordKind) {
    end += 1;
    code = text.charCodeAt(end);
  }
  return code === 92 || code > 127 ? at : end;
}

function endOfToken(scan: Scan, text: string, at: number): number {
  const first = text[at]!;
  if (first === "'" || first === '"') return endOf(string, text, at);
  if (first === '`' || (first === '}' && scan.open.at(-1) === null))
    return endOf(template, text, at);
  if (first === '/' && !isOperand(scan)) {
    const end = endOf(regularExpression, text, at);
    if (end > at) return end;
  }
  const end = endOf(wordOrNumber, text, at);
  return end > at ? end : endOf(punctuation, text, at);
}

function followBrackets(scan: Scan, token: string): void {
  const { open, last } = scan;
  switch (token) {
    case '(':
      open.push(!beforeCondition.has(last) || scan.beforeLast === '.');
      return;
    case '[':
      open.push(true);
      return;
    case '{':
      open.push(!beforeBlock.has(last) && !isOperand(scan));
      return;
    case ')':
    case ']':
    case '}':
      scan.closed = open.pop() ?? true;
      return;
    case '++':
    case '--':
    case '!':
      // After an operand they belong to it, as in `count! / 2`.
      scan.closed = isOperand(scan);
      return;
    default:
  }
  if (token.length > 1 && token[0] === '}') open.pop();
  if (isOpenTemplate(token)) open.push(null);
}

const isOpenTemplate = (token: string): boolean =>
  (token[0] === '`' || token[0] === '}') && token.endsWith('${');

/** Whether the last token ends an operand: then a `/` divides. */
function isOperand({ last, beforeLast, closed }: Scan): boolean {
  if (/^(?:[)\]!]|}$|\+\+|--)/.test(last)) return last !== '!=' && last !== '!==' && closed;
  if (/^[`}]/.test(last)) return !isOpenTemplate(last);
  if (beforeExpression.has(last)) return beforeLast === '.' || beforeLast === '?.';
  return last.charCodeAt(0) > 127 || /^(?:[\w$#\\'"]|\.[0-9]|\/[^=])/.test(last);
}
