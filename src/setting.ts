// The kinds of settings: each with the text that it accepts and the value that it makes of it.
// config.ts lists the settings.

import { isIP } from 'node:net';
import { areNodeUrls, repeatedNode } from './chain/nodeUrls.ts';
import { parseSignerName, remoteSignerForm } from './chain/signers/signerName.ts';
import { parseNetwork } from './gateway/identity/networkList.ts';
import { postgresUrlsForm, splitPostgresUrls } from './std/postgresUrls.ts';

export type Setting<Value> = {
  readonly fallback: Value;
  /** The value, or the end of a sentence that describes a valid value. */
  readonly read: (text: string) => Value | { readonly wanted: string };
  /**
   * It cannot be a flag, because other processes of the machine can read flags; `password`: it can,
   * unless it contains a password.
   */
  readonly secret?: true | 'password';
  /** The variable, when it is not the usual one. */
  readonly variable?: string;
};

export const wanted = (what: string): { readonly wanted: string } => ({ wanted: what });

export function text(fallback: string): Setting<string> {
  return { fallback, read: (value) => (value === '' ? wanted('a text') : value) };
}

export function whole(fallback: number, min: number, max: number): Setting<number> {
  return {
    fallback,
    read: (value) => {
      const number = /^\d{1,15}$/.test(value) ? Number(value) : -1;
      return number >= min && number <= max ? number : wanted(`a whole number ${min} to ${max}`);
    },
  };
}

export function flag(fallback: boolean): Setting<boolean> {
  const values = new Map([
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
  ]);
  return { fallback, read: (value) => values.get(value) ?? wanted('true or false') };
}

export function secret(pattern: RegExp, what: string): Setting<string> {
  return {
    fallback: '',
    secret: true,
    read: (value) => (pattern.test(value) ? value : wanted(what)),
  };
}

/** Servers of one PostgreSQL, with commas; the text may contain their passwords. */
export function postgresUrls(variable: string): Setting<string> {
  return {
    fallback: '',
    secret: 'password',
    variable,
    read: (value) => (splitPostgresUrls(value) === undefined ? wanted(postgresUrlsForm) : value),
  };
}

/** 0, or a whole number in these bounds. */
export function wholeOrZero(min: number, max: number, fallback = 0): Setting<number> {
  return {
    fallback,
    read: (value) => {
      const number = /^\d{1,7}$/.test(value) ? Number(value) : -1;
      const fits = number === 0 || (number >= min && number <= max);
      return fits ? number : wanted(`0, or a whole number ${min} to ${max}`);
    },
  };
}

export function ipAddresses(fallback: readonly string[]): Setting<readonly string[]> {
  return {
    fallback,
    read: (value) => {
      const parts = value.split(',').map((part) => part.trim());
      return parts.every((part) => isIP(part) !== 0) ? parts : wanted('IP addresses with commas');
    },
  };
}

export function networks(fallback: readonly string[]): Setting<readonly string[]> {
  return {
    fallback,
    read: (value) => {
      const parts = value === 'none' ? [] : value.split(',').map((part) => part.trim());
      return parts.every((part) => parseNetwork(part) !== undefined)
        ? parts
        : wanted('networks with commas, as 10.0.0.0/8, or none');
    },
  };
}

/** A host at which other programs reach this one; `0.0.0.0` stands for all and is none. */
export function reachableHost(fallback: string): Setting<string> {
  return {
    fallback,
    read: (value) =>
      ['', '0.0.0.0', '::'].includes(value)
        ? wanted('one address, which the other processes can reach')
        : value,
  };
}

export function oneOf<Value extends string>(
  fallback: Value,
  values: readonly Value[],
): Setting<Value> {
  return {
    fallback,
    read: (value) =>
      values.find((candidate) => candidate === value) ?? wanted(`one of ${values.join(', ')}`),
  };
}

/** `demo`, or a whole number up to `max`. */
export function demoOrWhole(max: number): Setting<number | 'demo'> {
  return {
    fallback: 'demo',
    read: (value) => {
      if (value === 'demo') return value;
      const number = /^\d{1,7}$/.test(value) ? Number(value) : -1;
      const fits = number >= 0 && number <= max;
      return fits ? number : wanted(`demo, or a whole number 0 to ${max}`);
    },
  };
}

/** `auto`, or a whole number up to `max`. */
export function autoOrWhole(max: number): Setting<number | 'auto'> {
  const { read } = whole(0, 0, max);
  return {
    fallback: 'auto',
    read: (value) => {
      const number = value === 'auto' ? value : read(value);
      return typeof number === 'object' ? wanted(`auto, or a whole number 0 to ${max}`) : number;
    },
  };
}

export const contractAddress: Setting<string> = {
  fallback: '',
  read: (value) => (/^0x[0-9a-fA-F]{40}$/.test(value) ? value : wanted('an address')),
};

/** Nodes of a chain: two of them must agree, and one may be away. */
export const nodeUrls: Setting<string> = {
  fallback: '',
  secret: 'password',
  read: (value) => {
    const urls = value.split(',');
    const form = 'three http addresses or more, with commas';
    if (!areNodeUrls(value) || urls.length < 3) return wanted(form);
    const why = repeatedNode(urls);
    return why === undefined ? value : wanted(`${form}; ${why}`);
  },
};

/** Signers that are elsewhere, with commas; an address may contain a password. */
export const signerNames: Setting<string> = {
  fallback: '',
  secret: 'password',
  read: (value) => {
    const kinds = value.split(',').map((each) => parseSignerName(each)?.kind ?? 'file');
    return kinds.includes('file') ? wanted(remoteSignerForm) : value;
  },
};
