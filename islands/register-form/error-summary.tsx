import { useEffect, useRef } from 'react';

export interface FormFault {
  /** Id of the control at fault; absent where the fault is in no control. */
  id?: string;
  message: string;
}

/** Lists above a form why it was not sent: takes the focus when it appears, and links to each control at fault. */
export function ErrorSummary({ faults, attempt }: { faults: FormFault[]; attempt: number }) {
  const ref = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt to send takes the focus again.
  useEffect(() => ref.current?.focus(), [attempt]);
  return (
    <div className="error-summary" ref={ref} tabIndex={-1} role="alert">
      <h3>There is a problem</h3>
      <ul>
        {faults.map(({ id, message }) => (
          <li key={message}>{id ? <a href={`#${id}`}>{message}</a> : message}</li>
        ))}
      </ul>
    </div>
  );
}
