import type { ReactNode } from 'react';

/** Words that stay folded until the visitor opens them, also without script. Printouts show all of them. */
export function Disclosure(props: {
  summary: string;
  id?: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <details className={`mt-3 ${props.className ?? ''}`.trim()} id={props.id}>
      <summary className="flex min-h-11 items-center gap-2">{props.summary}</summary>
      {props.children}
    </details>
  );
}
