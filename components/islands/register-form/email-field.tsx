/**
 * The form's field for the e-mail address. If the domain is probably mistyped, it asks "Did you
 * mean …?". The visitor can send the form without an answer.
 */
import { type RefObject, useRef, useState } from 'react';
import type { FormWords } from '#words/en/form.ts';
import { domainOf, suggestDomain } from './suggest-domain.ts';
import { type FieldProps, TextField } from './text-field.tsx';

/** Classes of the two buttons that answer the question. */
const ANSWER_BUTTON =
  'min-h-11 rounded-control border-fine border-line bg-paper px-4 py-1.5 font-bold hover:border-ink';

export function EmailField({ words, ...field }: FieldProps & { words: FormWords }) {
  const input = useRef<HTMLInputElement>(null);
  const { isReady, domain, prepare, ask, askOnceLeft, take, keep } = useQuestion(input);
  return (
    <TextField
      {...field}
      ref={input}
      type="email"
      autoComplete="email"
      onFocus={prepare}
      onInput={() => ask(true)}
      onBlur={askOnceLeft}
    >
      {isReady && (
        // A live region: it must be in the page before the question appears in it.
        <div className={domain ? undefined : 'sr-only'} aria-live="polite">
          {domain && (
            <div className="grid gap-2">
              <p>{words.didYouMean(domain)}</p>
              <div className="flex flex-wrap gap-3.5">
                <button type="button" className={ANSWER_BUTTON} onClick={take}>
                  {words.takeDomain(domain)}
                </button>
                <button type="button" className={ANSWER_BUTTON} onClick={keep}>
                  {words.keepDomain}
                </button>
              </div>
            </div>
          )}
        </div>
      )}
    </TextField>
  );
}

/**
 * State and handlers of the question about the domain. An answer removes the question's buttons, so
 * it moves the focus back into the field.
 */
function useQuestion(input: RefObject<HTMLInputElement | null>) {
  /** Whether the live region is in the page. */
  const [isReady, setReady] = useState(false);
  /** The domain that the question suggests; null: there is no question. */
  const [domain, setDomain] = useState<string | null>(null);
  /** The domain that the visitor has chosen to keep. */
  const kept = useRef('');

  const ask = (isTyping: boolean) => {
    const { value = '' } = input.current ?? {};
    const isKept = domainOf(value) === kept.current;
    setDomain(isKept ? null : suggestDomain(value, isTyping));
  };
  /**
   * Asks after the click or key press with which the visitor leaves the field. The question moves
   * the elements below the field, so that the click would miss its target.
   */
  const askOnceLeft = () => {
    const done = new AbortController();
    const askLater = () => {
      done.abort();
      setTimeout(() => ask(false));
    };
    for (const end of ['click', 'keyup'])
      document.addEventListener(end, askLater, { signal: done.signal });
  };
  const take = () => {
    const field = input.current;
    if (!field) return;
    field.value = field.value.slice(0, field.value.lastIndexOf('@') + 1) + domain;
    field.focus();
    // Setting `value` fires no event. The form listens for `input`.
    field.dispatchEvent(new Event('input', { bubbles: true }));
  };
  const keep = () => {
    kept.current = domainOf(input.current?.value ?? '');
    setDomain(null);
    input.current?.focus();
  };
  return { isReady, domain, prepare: () => setReady(true), ask, askOnceLeft, take, keep };
}
