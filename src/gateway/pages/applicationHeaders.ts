// The headers of a page that runs our own scripts (CON-5): nothing of another origin, nothing
// inline, in no frame. Names and values alternate.

import { headersOfPolicy } from '../pageHeaders.ts';

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
];

export const applicationHeaders = headersOfPolicy(policy);
