// The mutants of a source: every small change that a test should notice, as a place in the text and
// its replacement. instrument.ts places the changed text; judge.ts runs the tests.

import { parseAst } from 'rolldown/parseAst';

/** The kind of change; a group in the survivors' report. */
export type MutantKind =
  | 'boundary'
  | 'comparison'
  | 'arithmetic'
  | 'logic'
  | 'condition'
  | 'sign'
  | 'constant'
  | 'rounding'
  | 'call'
  | 'statement'
  | 'word';

export type Mutant = {
  /**
   * The kind of text that it replaces: an expression, a statement, or the body of a function or
   * loop.
   */
  readonly form: 'expression' | 'statement' | 'entry' | 'loop';
  readonly kind: MutantKind;
  readonly start: number;
  readonly end: number;
  /** The replacement; empty for a removed statement, a skipped body or loop. */
  readonly text: string;
  /** The top-level constant whose value it changes; undefined inside a function. */
  readonly constant: string | undefined;
};

/** A top-level constant with mutants in its value: instrument.ts makes it assignable. */
export type Constant = {
  readonly name: string;
  readonly start: number;
  readonly init: { readonly start: number; readonly end: number };
  readonly end: number;
};

export type Span = { readonly start: number; readonly end: number };

export type Findings = {
  readonly mutants: readonly Mutant[];
  readonly constants: readonly Constant[];
  readonly loopBodies: readonly Span[];
  /**
   * The top-level statements. The place where a name is used decides which tests see a constant.
   */
  readonly statements: readonly Span[];
};

type Node = { type: string; start: number; end: number; [key: string]: unknown };

type Place = { readonly parent: Node | undefined; readonly constant: string | undefined };

type Search = {
  readonly text: string;
  readonly mutants: Mutant[];
  readonly loopBodies: Span[];
};

const comparisons: Record<string, readonly (readonly [MutantKind, string])[]> = {
  '<': [
    ['boundary', '<='],
    ['comparison', '>='],
  ],
  '<=': [
    ['boundary', '<'],
    ['comparison', '>'],
  ],
  '>': [
    ['boundary', '>='],
    ['comparison', '<='],
  ],
  '>=': [
    ['boundary', '>'],
    ['comparison', '<'],
  ],
  '===': [['comparison', '!==']],
  '!==': [['comparison', '===']],
};

const arithmetic: Record<string, string> = {
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '**': '*',
  '+=': '-=',
  '-=': '+=',
  '*=': '/=',
};

/** Functions that replace each other with the opposite rounding, bound or question. */
const swaps = new Map<string, readonly string[]>(
  Object.entries({
    mulDivFloor: ['mulDivCeil'],
    mulDivCeil: ['mulDivFloor'],
    mulDivHalfEven: ['mulDivFloor', 'mulDivCeil'],
    shareUp: ['shareDown'],
    shareDown: ['shareUp'],
    proRataUp: ['proRataDown'],
    proRataDown: ['proRataUp'],
    'Math.floor': ['Math.ceil'],
    'Math.ceil': ['Math.floor'],
    'Math.min': ['Math.max'],
    'Math.max': ['Math.min'],
  }),
);

const methodSwaps = new Map([
  ['some', 'every'],
  ['every', 'some'],
]);
const methodsToSkip = ['sort', 'filter', 'reverse', 'slice'];

const loops = ['ForStatement', 'ForOfStatement', 'ForInStatement', 'WhileStatement'];
const functions = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];
const wrappers = ['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression'];

/**
 * Expressions that need no brackets in another place; the tree does not record the source's
 * brackets.
 */
const plain = [
  'Identifier',
  'Literal',
  'MemberExpression',
  'CallExpression',
  'TSNonNullExpression',
  'ArrayExpression',
  'TemplateLiteral',
  'SpreadElement',
];

/** All mutants of a source in the order of its text. Takes its text and path. */
export function findMutants(text: string, path: string): Findings {
  const program = parseAst(text, { lang: 'ts' }, path) as unknown as Node;
  const search: Search = { text, mutants: [], loopBodies: [] };
  const constants: Constant[] = [];
  const statements: Span[] = [];
  for (const statement of program.body as Node[]) {
    const exported = statement.declaration as Node | null | undefined;
    const declaration = exported ?? statement;
    statements.push({ start: statement.start, end: statement.end });
    const constant = constantOf(declaration);
    const before = search.mutants.length;
    visit(search, declaration, { parent: undefined, constant: constant?.name });
    const isUsed = search.mutants.slice(before).some((mutant) => mutant.constant !== undefined);
    if (constant !== undefined && isUsed) constants.push(constant);
  }
  // A value outside functions that is not a plain constant cannot change while tests run.
  const mutants = search.mutants.filter(({ constant }) => constant !== '');
  mutants.sort((a, b) => a.start - b.start || b.end - a.end);
  return { mutants, constants, loopBodies: search.loopBodies, statements };
}

function constantOf(node: Node): Constant | undefined {
  if (node.type !== 'VariableDeclaration' || node.kind !== 'const') return undefined;
  const declarations = node.declarations as Node[];
  const [first] = declarations;
  const { id, init } = first as unknown as { id: Node; init: Node | null };
  if (declarations.length !== 1 || id.type !== 'Identifier' || init === null) return undefined;
  return { name: id.name as string, start: node.start, init, end: node.end };
}

function visit(search: Search, node: Node, place: Place): void {
  if (node.type === 'ImportDeclaration' || isAssertion(node)) return;
  if (node.type.startsWith('TS') && !wrappers.includes(node.type)) return;
  if (node.type === 'ThrowStatement' || node.type === 'TemplateElement') return;
  const inFunction = functions.includes(node.type);
  const constant = inFunction ? undefined : place.constant;
  const isOutside = place.constant === undefined && place.parent === undefined && !inFunction;
  collect(search, node, { ...place, constant: isOutside ? '' : place.constant });
  const below = { parent: node, constant: isOutside ? '' : constant };
  for (const [key, value] of Object.entries(node)) {
    if (isNoExpression(node, key)) continue;
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) visit(search, child, below);
    }
  }
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** Assertions never fail, so a test cannot notice a mutant of one. */
function isAssertion(node: Node): boolean {
  const call = node.type === 'ExpressionStatement' ? (node.expression as Node) : node;
  if (call.type !== 'CallExpression') return false;
  const callee = call.callee as Node;
  return callee.type === 'Identifier' && callee.name === 'assert';
}

function isNoExpression(node: Node, key: string): boolean {
  if (key === 'id' || key === 'typeAnnotation' || key === 'typeArguments') return true;
  if (key === 'key') return node.computed !== true;
  return key === 'label' || key === 'returnType' || key === 'typeParameters';
}

function collect(search: Search, node: Node, place: Place): void {
  const { text } = search;
  const own = (part: unknown): string => {
    const { type, start, end } = part as Node;
    const bare = text.slice(start, end);
    return plain.includes(type) ? bare : `(${bare})`;
  };
  const add = (kind: MutantKind, instead: string, form: Mutant['form'] = 'expression'): void => {
    const { start, end } = node;
    search.mutants.push({ form, kind, start, end, text: instead, constant: place.constant });
  };
  if (loops.includes(node.type)) collectLoop(search, node, place);
  if (functions.includes(node.type)) collectEntry(search, node);
  switch (node.type) {
    case 'BinaryExpression':
    case 'AssignmentExpression':
      return collectOperator(node, place, own, add);
    case 'LogicalExpression':
      return collectLogic(node, own, add);
    case 'UnaryExpression':
      if (node.operator === '-' || node.operator === '!') add('sign', own(node.argument));
      return;
    case 'UpdateExpression':
      return add('sign', opposite(text.slice(node.start, node.end)));
    case 'Literal':
      return collectLiteral(node, place, own, add);
    case 'CallExpression':
      return collectCall(node, place, own, add);
    case 'ExpressionStatement':
      return add('statement', '', 'statement');
    case 'ContinueStatement':
    case 'BreakStatement':
      return add('statement', '', 'statement');
    case 'ReturnStatement':
      if (node.argument === null) add('statement', '', 'statement');
      return;
    case 'IfStatement':
    case 'ConditionalExpression':
      collectCondition(search, node.test as Node, place);
  }
}

const opposite = (update: string): string =>
  update.replace(/\+\+|--/, (sign) => (sign === '++' ? '--' : '++'));

type Text = (part: unknown) => string;
type Add = (kind: MutantKind, instead: string) => void;

/**
 * An expression that is itself a condition already becomes true and false; its opposite would add
 * nothing.
 */
function collectOperator(node: Node, place: Place, own: Text, add: Add): void {
  const operator = node.operator as string;
  const instead = (other: string): string => `${own(node.left)} ${other} ${own(node.right)}`;
  for (const [kind, other] of comparisons[operator] ?? []) {
    if (kind === 'comparison' && place.parent?.test === node) continue;
    add(kind, instead(other));
  }
  const isText = [node.left, node.right].some((side) => /^['"`]/.test(own(side)));
  const other = arithmetic[operator];
  if (other !== undefined && !isText) add('arithmetic', instead(other));
}

function collectLogic(node: Node, own: Text, add: Add): void {
  const operator = node.operator as string;
  if (operator === '??') return add('logic', own(node.left));
  const other = operator === '&&' ? '||' : '&&';
  add('logic', `${own(node.left)} ${other} ${own(node.right)}`);
}

function collectLiteral(node: Node, place: Place, own: Text, add: Add): void {
  const { value } = node;
  if (typeof value === 'boolean') return add('constant', String(!value));
  if (typeof value === 'string') {
    if (value !== '' && place.parent?.type !== 'ExpressionStatement') add('word', "''");
    return;
  }
  if (typeof value !== 'number' && typeof value !== 'bigint') return;
  const suffix = typeof value === 'bigint' ? 'n' : '';
  // For whole numbers x > 1 - 1 is x >= 1, which is one of the boundary mutants.
  const operator = place.parent?.type === 'BinaryExpression' ? place.parent.operator : undefined;
  if (operator !== '<' && operator !== '>=') add('constant', `${own(node)} + 1${suffix}`);
  if (operator !== '>' && operator !== '<=' && operator !== '===' && operator !== '!==') {
    add('constant', `${own(node)} - 1${suffix}`);
  }
}

function collectCall(node: Node, place: Place, own: Text, add: Add): void {
  const callee = node.callee as Node;
  const name = own(callee);
  const given = (node.arguments as Node[]).map(own).join(', ');
  for (const other of swaps.get(name) ?? []) {
    add('rounding', `${other.includes('.') ? other : `__mutation.swap.${other}`}(${given})`);
  }
  if (name === 'Math.abs') add('call', given);
  if (callee.type !== 'MemberExpression' || place.parent?.type === 'ChainExpression') return;
  const method = own(callee.property);
  const other = methodSwaps.get(method);
  if (other !== undefined) add('call', `${own(callee.object)}.${other}(${given})`);
  if (methodsToSkip.includes(method)) add('call', own(callee.object));
}

function collectCondition({ mutants }: Search, test: Node, { constant }: Place): void {
  const { start, end } = test;
  for (const text of ['true', 'false']) {
    mutants.push({ form: 'expression', kind: 'condition', start, end, text, constant });
  }
}

function collectLoop(search: Search, node: Node, { constant }: Place): void {
  const { start, end } = node.body as Node;
  search.loopBodies.push({ start, end });
  search.mutants.push({ form: 'loop', kind: 'statement', start, end, text: '', constant });
}

function collectEntry({ mutants }: Search, node: Node): void {
  const body = node.body as Node | null;
  const returns = node.returnType as { typeAnnotation: Node } | null | undefined;
  if (body?.type !== 'BlockStatement' || returns?.typeAnnotation.type !== 'TSVoidKeyword') return;
  const { start, end } = body;
  const mutant = { form: 'entry', kind: 'statement', start, end, text: '' } as const;
  mutants.push({ ...mutant, constant: undefined });
}
