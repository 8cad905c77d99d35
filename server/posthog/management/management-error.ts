/** PostHog's refusals in words that say what to do. No message contains the key. */
import { z } from 'zod';
import type { Access, Answer, Method } from './answer.ts';

export class ManagementError extends Error {
  /** 0: no answer came. */
  readonly status: number;
  /** PostHog's code, such as `quota_limit_exceeded`; null: none. */
  readonly code: string | null;
  /** The scope that the key lacks, such as `insight:write`; null: something else. */
  readonly missingScope: string | null;

  constructor(message: string, about: Partial<Omit<ManagementError, keyof Error>> = {}) {
    super(message);
    this.status = about.status ?? 0;
    this.code = about.code ?? null;
    this.missingScope = about.missingScope ?? null;
  }
}

/** The parts of PostHog's error bodies that we read. */
const errorSchema = z.object({
  code: z.string().nullish(),
  detail: z.string().nullish(),
  attr: z.string().nullish(),
});

/** @param what the request in short, such as "POST insights/" */
export function describeFailure(access: Access, what: string, answer: Answer): ManagementError {
  const { code, detail, attr } = errorSchema.safeParse(answer.json).data ?? {};
  const missingScope = /scope '([\w:]+)'/.exec(detail ?? '')?.[1] ?? null;
  const about = { status: answer.status, code: code ?? null, missingScope };
  const said = `${what}: ${answer.status}${detail ? ` "${detail}"` : ''}${attr ? ` (${attr})` : ''}`;
  return new ManagementError(explain(access, answer, missingScope, said), about);
}

function explain(
  { host, projectId, key }: Access,
  answer: Answer,
  missingScope: string | null,
  said: string,
): string {
  const { status, failure } = answer;
  if (status === 0) return `PostHog at ${host} cannot be reached (${failure}).`;
  if (status >= 500) return `PostHog at ${host} fails at present (${said}). Try again later.`;
  if (status < 300 || (answer.json === undefined && status !== 404 && status !== 405)) {
    return `${host} did not answer as PostHog does (${said}, without JSON). Is POSTHOG_APP_HOST right?`;
  }
  if (status === 401) {
    return `PostHog at ${host} rejects the key in POSTHOG_PERSONAL_KEY, which is ${kindOf(key)}. Use a personal API key of this region.`;
  }
  if (missingScope) return `The key in POSTHOG_PERSONAL_KEY lacks the scope ${missingScope}.`;
  if (status === 403) return `PostHog at ${host} forbids it (${said}).`;
  if (status === 404) {
    return `PostHog at ${host} does not find it (${said}). Is POSTHOG_PROJECT_ID ${projectId} right?`;
  }
  if (status === 402) return `PostHog's plan or quota does not allow it (${said}).`;
  if (status === 429) return `PostHog receives too many requests with this key (${said}).`;
  return `PostHog at ${host} refused (${said}).`;
}

/** The kind of a key by its prefix, without the key. */
function kindOf(key: string): string {
  if (key.startsWith('phx_')) return 'a personal API key (phx_…)';
  if (key.startsWith('phs_')) return 'a project secret key (phs_…)';
  return 'no personal API key (phx_…)';
}

/** @param method of the request that PostHog wants to have later */
export const tooLongToWait = (method: Method, path: string, seconds: number): ManagementError =>
  new ManagementError(
    `PostHog asks to wait ${seconds} s before "${method} ${path}". Run the command again after that.`,
    { status: 429 },
  );
