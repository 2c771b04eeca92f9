// The kinds of parameters that operations take, each as a schema that also says how to read it.
// readParameters.ts reads them; documentation, client and tests use the schemas too.

import { type Static, type TObject, type TSchema, type TUnsafe, Type } from 'typebox';
import type { OrderReference } from '../engine/command.ts';
import type { Market } from '../engine/views/market.ts';
import { type Interval, intervals } from '../units/interval.ts';
import type { Value } from './fields.ts';

/** The refusal of a word that is none of the choices. */
type ChoiceRefusal =
  | 'parameterInvalid'
  | 'parameterMalformed'
  | 'marginModeUnknown'
  | 'orderTypeUnknown'
  | 'intervalInvalid'
  | 'periodInvalid';

/**
 * What a client sends without a value. It counts as not sent unless the parameter refuses it:
 * `null` is JSON's null alone, `blank` an empty text too.
 */
type Refused = 'null' | 'blank';

/** How the text of a parameter becomes a value; the member `x-reading` of its schema. */
export type Reading = { readonly aliases?: readonly string[]; readonly refuses?: Refused } & (
  | { readonly read: 'market'; readonly unknown: 'symbolUnknown' | 'marketNotListed' }
  | {
      readonly read: 'choice';
      readonly values: ReadonlyMap<string, string>;
      readonly refuse: ChoiceRefusal;
      /** The words are whole numbers, and they are read as numbers. */
      readonly numeric?: boolean;
    }
  | { readonly read: 'flag' }
  | { readonly read: 'integer'; readonly min: number; readonly max: number }
  | { readonly read: 'decimal' }
  | { readonly read: 'orderId'; readonly made: boolean }
  | { readonly read: 'clientOrderId' }
  | { readonly read: 'text'; readonly lengthMax: number }
  | { readonly read: 'list'; readonly body: boolean }
  | {
      readonly read: 'record';
      readonly parameters: TObject;
      /** Whether JSON's null is a value of its own; else it counts as not sent. */
      readonly nullable: boolean;
    }
);

type Note = {
  readonly aliases?: readonly string[];
  readonly description?: string;
  /** Of a parameter that bounds a request: without it the request reaches further (AUTH-3a). */
  readonly refuses?: Refused;
};

const refusals: Readonly<Record<Refused, string>> = {
  null: 'Null is refused.',
  blank: 'Null and an empty text are refused.',
};

function schemaOf<T>(json: object, reading: Reading, note: Note): TUnsafe<T> {
  const { aliases, description, refuses } = note;
  const sentences = [description, refuses && refusals[refuses]].filter(Boolean).join(' ');
  return Type.Unsafe<T>({
    ...json,
    ...(sentences === '' ? {} : { description: sentences }),
    'x-reading': {
      ...reading,
      ...(aliases === undefined ? {} : { aliases }),
      ...(refuses === undefined ? {} : { refuses }),
    },
  });
}

/** The reading of a schema that this file made; undefined for any other schema. */
export function readingOf(schema: TSchema): Reading | undefined {
  return (schema as { readonly 'x-reading'?: Reading })['x-reading'];
}

/** A market by its symbol, normalised (SYM-0). -1121, native INVALID_SYMBOL. */
export function symbolParameter(note: Note = {}): TUnsafe<Market> {
  return schemaOf({ type: 'string' }, { read: 'market', unknown: 'symbolUnknown' }, note);
}

/** The same on the native market-data routes: INVALID_MARKET (NAT-2). */
export function marketParameter(note: Note = {}): TUnsafe<Market> {
  return schemaOf({ type: 'string' }, { read: 'market', unknown: 'marketNotListed' }, note);
}

type Choice = Note & {
  /** Other spellings and the words that they mean. */
  readonly synonyms?: Readonly<Record<string, string>>;
  readonly refuse?: ChoiceRefusal;
};

/** One of these words, in exactly this spelling. -1130 unless the note says otherwise. */
export function choiceParameter<T extends string>(
  values: readonly T[],
  { synonyms = {}, refuse = 'parameterInvalid', ...note }: Choice = {},
): TUnsafe<T> {
  const spelled = new Map<string, string>(values.map((value) => [value, value]));
  for (const [synonym, value] of Object.entries(synonyms)) spelled.set(synonym, value);
  const json = { type: 'string', enum: [...spelled.keys()] };
  return schemaOf(json, { read: 'choice', values: spelled, refuse }, note);
}

/** One of these whole numbers: -1130. */
export function numberChoiceParameter<T extends number>(
  values: readonly T[],
  note: Note = {},
): TUnsafe<T> {
  const spelled = new Map(values.map((value) => [String(value), String(value)]));
  const reading = { read: 'choice', values: spelled, refuse: 'parameterInvalid' } as const;
  return schemaOf({ type: 'integer', enum: values }, { ...reading, numeric: true }, note);
}

/** true or false, as JSON or as a word in any case. Anything else: -1102. */
export function flagParameter(note: Note = {}): TUnsafe<boolean> {
  return schemaOf({ type: 'boolean' }, { read: 'flag' }, note);
}

type Range = Note & { readonly min?: number; readonly max?: number };

/** A whole number or its text; outside the range, or anything else: -1102. */
export function integerParameter({
  min = Number.MIN_SAFE_INTEGER,
  max = Number.MAX_SAFE_INTEGER,
  ...note
}: Range = {}): TUnsafe<number> {
  return schemaOf({ type: 'integer' }, { read: 'integer', min, max }, note);
}

/** A decimal as its source text (UNIT-4). Its reader knows the bounds (grid.ts). */
export function decimalParameter(note: Note = {}): TUnsafe<string> {
  return schemaOf({ type: 'string', format: 'decimal' }, { read: 'decimal' }, note);
}

type MadeId = Extract<OrderReference, { readonly id: unknown }>;

/**
 * An id that the engine made (ID-1). -1100 for a text that is not a UUID. A UUID that the engine
 * cannot have made reads as number 0, which no order has.
 */
export function orderIdParameter(note: Note = {}): TUnsafe<MadeId> {
  return schemaOf({ type: 'string', format: 'uuid' }, { read: 'orderId', made: false }, note);
}

/** The id at which a list begins. An id that the engine cannot have made is -1100 too. */
export function rowIdParameter(note: Note = {}): TUnsafe<MadeId> {
  return schemaOf({ type: 'string', format: 'uuid' }, { read: 'orderId', made: true }, note);
}

/** A client's own order id (ID-2); other characters or more than 36: -1100. */
export function clientOrderIdParameter(note: Note = {}): TUnsafe<string> {
  const pattern = '^[\\.A-Z\\:/a-z0-9_-]{1,36}$';
  return schemaOf({ type: 'string', pattern }, { read: 'clientOrderId' }, note);
}

/** Any text up to this length; longer: -1100. */
export function textParameter({
  lengthMax,
  ...note
}: Note & { readonly lengthMax: number }): TUnsafe<string> {
  return schemaOf({ type: 'string', maxLength: lengthMax }, { read: 'text', lengthMax }, note);
}

/**
 * A list in any of the forms that clients send (conventions, section 2): a JSON array, a text that
 * contains one, brackets without quotes, or the repeated name. `body`: the body may be the array
 * itself.
 */
export function listParameter({
  body = false,
  ...note
}: Note & { readonly body?: boolean } = {}): TUnsafe<readonly Value[]> {
  return schemaOf({ type: 'array' }, { read: 'list', body }, note);
}

/** An object of JSON with members of its own; anything else: -1102. */
export function recordParameter<P extends TObject>(
  parameters: P,
  note: Note = {},
): TUnsafe<Static<P>> {
  return schemaOf({ ...parameters }, { read: 'record', parameters, nullable: false }, note);
}

/** The same, or JSON's null. */
export function nullableRecordParameter<P extends TObject>(
  parameters: P,
  note: Note = {},
): TUnsafe<Static<P> | null> {
  const json = { anyOf: [{ ...parameters }, { type: 'null' }] };
  return schemaOf(json, { read: 'record', parameters, nullable: true }, note);
}

/** The interval of candles: -1120. */
export function intervalParameter(): TUnsafe<Interval> {
  return choiceParameter(intervals, { refuse: 'intervalInvalid' });
}

/** The period of figures: -1120, native ERR_INVALID_PERIOD. */
export function periodParameter<T extends Interval>(values: readonly T[]): TUnsafe<T> {
  return choiceParameter(values, { refuse: 'periodInvalid' });
}

/** A parameter that may be absent. */
export const optional = Type.Optional;
