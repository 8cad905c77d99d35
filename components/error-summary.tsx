import { useEffect, useRef } from 'react';

export interface FieldFault {
  /** Id of the control at fault. */
  id: string;
  message: string;
}

/** What stands in the way of a form, above it: takes the focus when it appears, and leads to each field. */
export function ErrorSummary({ faults, attempt }: { faults: FieldFault[]; attempt: number }) {
  const ref = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt to send takes the focus anew.
  useEffect(() => ref.current?.focus(), [attempt]);
  return (
    <div className="error-summary" ref={ref} tabIndex={-1} role="alert">
      <h3>There is a problem</h3>
      <ul>
        {faults.map(({ id, message }) => (
          <li key={id}>
            <a href={`#${id}`}>{message}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}
