// What the sockets hold, and what was dropped because readers were too slow.

import type { Registry } from 'prom-client';
import type { StreamFigures } from '../../streams/streams.ts';
import { addCounters, addGauges } from './addGauges.ts';

export function addStreamMetrics(registry: Registry, streams: () => StreamFigures): void {
  addGauges(registry, [
    ['stream_readers', 'Sockets that are open.', () => streams().readers],
    ['stream_channels', 'Channels that are read or can be resumed.', () => streams().channels],
    ['stream_subscriptions', 'Readers of all channels.', () => streams().subscriptions],
    ['stream_ring_bytes', 'Bytes of messages kept for resumption.', () => streams().ringBytes],
    ['stream_waiting', 'Messages that wait for their readers.', () => streams().waiting],
  ]);
  addCounters(registry, [
    ['stream_messages_total', 'Messages made, each serialised once.', () => streams().messages],
    ['stream_sends_total', 'How often a message was sent.', () => streams().sends],
    [
      'stream_readers_cut_total',
      'Sockets closed because their reader was too far behind.',
      () => streams().readersCut,
    ],
    [
      'stream_bytes_dropped_total',
      'Unsent bytes of sockets that were closed.',
      () => streams().bytesDropped,
    ],
  ]);
}
