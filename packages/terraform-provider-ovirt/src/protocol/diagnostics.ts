/** A message for the user: what is wrong, and what to do. */
export interface Diagnostic {
  severity: 'error' | 'warning';
  summary: string;
  detail: string;
  attribute?: readonly string[];
}

/** An error that the user can act on. */
export class DiagnosticError extends Error {
  readonly diagnostic: Diagnostic;

  constructor(summary: string, detail: string, attribute?: readonly string[]) {
    super(`${summary}: ${detail}`);
    this.diagnostic = { severity: 'error', summary, detail, ...(attribute && { attribute }) };
  }
}

/** Any error; one that nobody foresaw keeps its message. */
export function diagnosticOf(error: unknown): Diagnostic {
  if (error instanceof DiagnosticError) return error.diagnostic;
  return {
    severity: 'error',
    summary: 'The provider failed',
    detail: `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n\nThis is a defect of the provider: report it.`,
  };
}
