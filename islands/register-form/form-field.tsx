import type { ComponentProps, ReactNode } from 'react';

/** A text field with its label above and its message beside it. */
export function TextField({
  label,
  message,
  ...input
}: { label: string; message: string | undefined } & ComponentProps<'input'> & { id: string }) {
  return (
    <div className="field">
      <label className="field-label" htmlFor={input.id}>
        {label}
      </label>
      <input className="field-input" {...describedBy(input.id, message)} {...input} />
      <FieldMessage id={input.id}>{message}</FieldMessage>
    </div>
  );
}

export function FieldMessage({ id, children }: { id: string; children: ReactNode }) {
  if (!children) return null;
  return (
    <p className="field-message" id={`${id}-message`}>
      {children}
    </p>
  );
}

/** Ties a control to the message that tells what is wrong with it. */
export function describedBy(id: string, message: string | undefined) {
  return message ? { 'aria-invalid': true, 'aria-describedby': `${id}-message` } : {};
}
