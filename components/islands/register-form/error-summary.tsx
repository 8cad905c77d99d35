import { useEffect, useRef } from 'react';

export interface FormError {
  /** Id of the control with the error; absent where the error belongs to no control. */
  id?: string;
  message: string;
}

/** Lists above a form why it was not sent. Takes the focus when it appears, and links to each control with an error. */
export function ErrorSummary(props: { title: string; problems: FormError[]; attempt: number }) {
  const { title, problems, attempt } = props;
  const ref = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt to send takes the focus again.
  useEffect(() => ref.current?.focus(), [attempt]);
  return (
    <div className="grid gap-2 border-bold border-error p-5" ref={ref} tabIndex={-1} role="alert">
      <h3 className="text-h3">{title}</h3>
      <ul className="grid gap-2">
        {problems.map(({ id, message }) => (
          <li key={message}>
            {id ? (
              <a className="inline-flex min-h-11 items-center font-bold text-error" href={`#${id}`}>
                {message}
              </a>
            ) : (
              message
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
