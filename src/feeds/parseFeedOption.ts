// The text of `--feed` as data: `sim`, `manual` or `replay:SYMBOL=FILE,SYMBOL2=FILE2`. The feed
// finds out whether the files exist when it opens them (replayFeed.ts).

import { normalizeSymbol } from '../units/symbol.ts';
import { symbolPattern } from './indexFeed.ts';

export type ReplayFile = {
  /** Canonical symbol. */
  readonly symbol: string;
  readonly path: string;
};

export type FeedOption =
  | { readonly kind: 'sim' }
  | { readonly kind: 'manual' }
  | { readonly kind: 'replay'; readonly files: readonly ReplayFile[] };

export type ParsedFeedOption =
  | FeedOption
  /** `message` is one sentence for the person who typed it. */
  | { readonly kind: 'malformed'; readonly message: string };

const replayFilesMax = 64;

/** Reads the text of `--feed`. */
export function parseFeedOption(text: string): ParsedFeedOption {
  if (text === 'sim' || text === 'manual') return { kind: text };
  if (text.startsWith('replay:')) return parseReplay(text.slice('replay:'.length));
  return malformed('sim, manual or replay:SYMBOL=FILE,…');
}

function parseReplay(text: string): ParsedFeedOption {
  const files: ReplayFile[] = [];
  for (const entry of text.split(',')) {
    const equals = entry.indexOf('=');
    if (equals < 0)
      return malformed(
        `"${entry.slice(0, 80)}" of the replay feed does not have the form SYMBOL=FILE`,
      );
    const symbol = normalizeSymbol(entry.slice(0, equals).trim());
    const path = entry.slice(equals + 1).trim();
    if (!symbolPattern.test(symbol)) {
      return malformed(`"${entry.slice(0, 80)}" of the replay feed has no valid symbol before "="`);
    }
    if (path === '') return malformed(`the replay feed names no file for ${symbol}`);
    if (files.some((file) => file.symbol === symbol)) {
      return malformed(`the replay feed names ${symbol} twice`);
    }
    files.push({ symbol, path });
  }
  if (files.length > replayFilesMax) {
    return malformed(`the replay feed takes at most ${replayFilesMax} files`);
  }
  return { kind: 'replay', files };
}

const malformed = (message: string): ParsedFeedOption => ({ kind: 'malformed', message });
