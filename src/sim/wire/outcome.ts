/** A value, or the HTTP status and text of Ollama's error. */
export type Outcome<T> = { ok: true; value: T } | Refusal;

export interface Refusal {
  ok: false;
  status: number;
  error: string;
}

export const refuse = (status: number, error: string): Refusal => ({ ok: false, status, error });
