// The AsyncAPI document of the sockets: channels, the convention's streams, user data and the
// trading API. It is data made of the schemas beside this file; scripts/asyncApi.ts writes it.

import type { TSchema } from 'typebox';
import { license } from '../openApi.ts';
import { channelMessages, channels, clientMessages } from './channelMessages.ts';
import { marketStreams, streamAnswers, streamEvents, streamRequests } from './streamEvents.ts';
import { tradingError, tradingMethods } from './tradingMethods.ts';
import { userEvents } from './userEvents.ts';

export type AsyncApi = {
  readonly asyncapi: '3.1.0';
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    readonly license: { readonly name: string };
  };
  readonly servers: Readonly<Record<string, AsyncApiServer>>;
  readonly defaultContentType: 'application/json';
  readonly channels: Readonly<Record<string, AsyncApiChannel>>;
  readonly operations: Readonly<Record<string, AsyncApiOperation>>;
  readonly components: { readonly messages: Readonly<Record<string, AsyncApiMessage>> };
};

type AsyncApiServer = {
  readonly host: string;
  readonly protocol: 'ws' | 'wss';
  readonly description: string;
};

type Reference = { readonly $ref: string };

export type AsyncApiChannel = {
  readonly address: string;
  readonly description: string;
  readonly parameters?: Readonly<Record<string, { readonly description: string }>>;
  readonly messages: Readonly<Record<string, Reference>>;
};

export type AsyncApiOperation = {
  /** From the side of the exchange: it receives what clients send. */
  readonly action: 'send' | 'receive';
  readonly channel: Reference;
  readonly summary: string;
  readonly messages: readonly Reference[];
  readonly reply?: { readonly channel: Reference; readonly messages: readonly Reference[] };
};

export type AsyncApiMessage = {
  readonly name: string;
  readonly summary?: string;
  readonly payload: unknown;
  /** The names with which a client subscribes to the message. */
  readonly 'x-subscribe'?: readonly string[];
};

/** The messages of one address, by direction. */
type Surface = {
  readonly address: string;
  readonly description: string;
  readonly parameters?: AsyncApiChannel['parameters'];
  readonly receives: Readonly<Record<string, TSchema>>;
  readonly sends: Readonly<Record<string, TSchema>>;
  /** The message of each name to which a client can subscribe. */
  readonly names: readonly (readonly [name: string, message: string])[];
};

const surfaces: Readonly<Record<string, Surface>> = {
  channels: {
    address: '/ws',
    description: 'Channels with snapshots, sequence numbers and resumption (WS-1, WS-2).',
    receives: clientMessages,
    sends: channelMessages,
    names: Object.entries(channels).flatMap(([name, messages]) =>
      messages.map((message) => [name, message] as const),
    ),
  },
  streams: {
    address: '/stream',
    description:
      'Market streams of the convention, as members of an object that names the stream; without ' +
      'that object at /ws and /ws/{name} (WS-3).',
    receives: streamRequests,
    sends: { ...streamEvents, ...streamAnswers },
    names: Object.entries(marketStreams),
  },
  userData: {
    address: '/ws/{listenKey}',
    description: 'Changes of the account of a listen key (WS-3).',
    parameters: { listenKey: { description: 'As POST /fapi/v1/listenKey gives it.' } },
    receives: {},
    sends: userEvents,
    names: [],
  },
};

const description =
  'The messages of the exchange over WebSockets. Decimals are strings, times are milliseconds; ' +
  'the exchange sends nothing before it is durable.';

const servers: AsyncApi['servers'] = {
  clients: {
    host: '127.0.0.1:8080',
    protocol: 'ws',
    description: 'The listener of clients, as a start has it.',
  },
};

/** The document; `version` is the release that it shows. */
export function asyncApi(version: string): AsyncApi {
  const document = { channels: {}, operations: {}, messages: {} } as Making;
  for (const [name, surface] of Object.entries(surfaces)) addSurface(document, name, surface);
  addTrading(document);
  const info = { title: 'Evermark', version, description, license: { name: license.name } };
  const { channels: made, operations, messages } = document;
  return {
    asyncapi: '3.1.0',
    info,
    servers,
    defaultContentType: 'application/json',
    channels: made,
    operations,
    components: { messages },
  };
}

type Making = {
  readonly channels: Record<string, AsyncApiChannel>;
  readonly operations: Record<string, AsyncApiOperation>;
  readonly messages: Record<string, AsyncApiMessage>;
};

function addSurface(document: Making, surface: string, options: Surface): void {
  const { address, description: text, parameters, receives, sends, names } = options;
  const keyOf = (name: string): string => `${surface}.${name}`;
  for (const [name, schema] of Object.entries({ ...receives, ...sends })) {
    const subscribed = names.filter(([, message]) => message === name).map(([each]) => each);
    document.messages[keyOf(name)] = {
      name,
      payload: plainSchema(schema),
      ...(subscribed.length === 0 ? {} : { 'x-subscribe': subscribed }),
    };
  }
  const all = Object.keys({ ...receives, ...sends });
  document.channels[surface] = {
    address,
    description: text,
    ...(parameters === undefined ? {} : { parameters }),
    messages: Object.fromEntries(all.map((name) => [name, messageReference(keyOf(name))])),
  };
  const operation = (
    action: AsyncApiOperation['action'],
    of: Readonly<Record<string, TSchema>>,
  ): AsyncApiOperation => ({
    action,
    channel: { $ref: `#/channels/${surface}` },
    summary: action === 'send' ? 'The exchange sends.' : 'A client sends.',
    messages: Object.keys(of).map((name) => inChannel(surface, name)),
  });
  document.operations[`${surface}Send`] = operation('send', sends);
  if (Object.keys(receives).length > 0) {
    document.operations[`${surface}Receive`] = operation('receive', receives);
  }
}

const trading = 'trading';

/** One operation for each method, with its reply. */
function addTrading(document: Making): void {
  const messages: Record<string, Reference> = {};
  const add = (name: string, payload: TSchema, summary?: string): Reference => {
    const key = `${trading}.${name}`;
    const said = summary === undefined ? {} : { summary };
    document.messages[key] = { name, ...said, payload: plainSchema(payload) };
    messages[name] = messageReference(key);
    return inChannel(trading, name);
  };
  const channel = { $ref: `#/channels/${trading}` };
  const error = add('error', tradingError);
  for (const { method, summary, request, answer } of tradingMethods) {
    const name = method.replace('/', '.');
    document.operations[name] = {
      action: 'receive',
      channel,
      summary,
      messages: [add(`${name}.request`, request, summary)],
      reply: { channel, messages: [add(`${name}.answer`, answer), error] },
    };
  }
  const text = 'Orders over a socket: requests, each with its answer (WS-6).';
  document.channels[trading] = { address: '/ws-fapi/v1', description: text, messages };
}

const messageReference = (key: string): Reference => ({ $ref: `#/components/messages/${key}` });

const inChannel = (surface: string, name: string): Reference => ({
  $ref: `#/channels/${surface}/messages/${name}`,
});

/** The schema as plain JSON, without the members that only the reader of parameters needs. */
function plainSchema(schema: TSchema): unknown {
  return JSON.parse(
    JSON.stringify(schema, (name, value: unknown) => (name === 'x-reading' ? undefined : value)),
  );
}
