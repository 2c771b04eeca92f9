// Headers for browsers (CON-5): our pages can only be read, and data are never shown as a page.
// Names and values alternate.

import { hash } from 'node:crypto';

/** For every answer: the browser must not guess another type. */
export const sniffing = ['X-Content-Type-Options', 'nosniff'] as const;

const styles = /<style>([\s\S]*?)<\/style>/g;

/** For a page: it loads nothing, runs nothing and is in no frame. It has its own styles. */
export function pageHeaders(html: string): readonly string[] {
  const hashes = Array.from(html.matchAll(styles), ([, style = '']) => {
    return ` 'sha256-${hash('sha256', style, 'base64')}'`;
  });
  const policy = [
    "default-src 'none'",
    "img-src 'self'",
    ...(hashes.length === 0 ? [] : [`style-src${hashes.join('')}`]),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return headersOfPolicy(policy);
}

/** What every page has with its policy. */
export function headersOfPolicy(policy: readonly string[]): readonly string[] {
  return [
    'Content-Security-Policy',
    policy.join('; '),
    'X-Frame-Options',
    'DENY',
    'Referrer-Policy',
    'no-referrer',
    'Cross-Origin-Opener-Policy',
    'same-origin',
  ];
}
