// What answers say to browsers (CON-5): a page of ours can do nothing but be read, and data are
// never taken for a page. Names and values, one behind the other.

import { hash } from 'node:crypto';

/** Of every answer: it is what its type says. */
export const sniffing = ['X-Content-Type-Options', 'nosniff'] as const;

const styles = /<style>([\s\S]*?)<\/style>/g;

/** Of a page: it loads nothing, runs nothing and stands in no frame; its own styles it has. */
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
