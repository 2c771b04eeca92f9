// The answers of FAPI to wrong parameters, for comparison in tests.

type FapiReply = { readonly status: number; readonly body: { code: number; msg: string } };

const refusal = (code: number, name: string, what: string): FapiReply => ({
  status: 400,
  body: { code, msg: `Parameter '${name}' ${what}.` },
});

export const illegal = (name: string): FapiReply => refusal(-1100, name, 'has an illegal format');
export const missing = (name: string): FapiReply => refusal(-1102, name, 'is missing or malformed');
export const notAllowed = (name: string): FapiReply => refusal(-1106, name, 'is not allowed here');
export const invalid = (name: string): FapiReply => refusal(-1130, name, 'has an invalid value');
