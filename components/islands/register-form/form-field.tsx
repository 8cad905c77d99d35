import type { ComponentProps, ReactNode } from 'react';

/** A text field with its label and its error message. */
export function TextField({
  label,
  message,
  ...input
}: { label: string; message: string | undefined } & ComponentProps<'input'> & { id: string }) {
  return (
    <div className="grid gap-2">
      <label className="font-bold" htmlFor={input.id}>
        {label}
      </label>
      <input
        className="min-h-13 w-full rounded-control border-fine border-line bg-card px-3.5 py-2 text-ink aria-invalid:border-bold aria-invalid:border-error"
        {...describedBy(input.id, message)}
        {...input}
      />
      <FieldMessage id={input.id}>{message}</FieldMessage>
    </div>
  );
}

export function FieldMessage({ id, children }: { id: string; children: ReactNode }) {
  if (!children) return null;
  return (
    <p className="font-bold text-error" id={`${id}-message`}>
      {children}
    </p>
  );
}

/** Links a control to its error message. */
export function describedBy(id: string, message: string | undefined) {
  return message ? { 'aria-invalid': true, 'aria-describedby': `${id}-message` } : {};
}
