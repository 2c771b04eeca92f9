// The failures that a check of invariants has found so far, bounded.

const messagesMax = 100;

export type Findings = { readonly messages: string[]; count: number };

export function createFindings(): Findings {
  return { messages: [], count: 0 };
}

/** Records `message` unless `condition` holds. The text is made only when it is needed. */
export function must(findings: Findings, condition: boolean, message: () => string): void {
  if (condition) return;
  findings.count += 1;
  if (findings.messages.length < messagesMax) findings.messages.push(message());
}
