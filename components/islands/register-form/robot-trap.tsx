import { type ComponentProps, useEffect, useState } from 'react';
import { TextField } from './form-field.tsx';

/**
 * A field that robots fill in and people cannot see; no password manager knows its name. If an extension fills it
 * all the same, CSS alone shows it at once, and the keyboard reaches it once its error is reported.
 */
export function RobotTrap({ message, ...input }: ComponentProps<typeof TextField>) {
  const [isShown, setIsShown] = useState(false);
  useEffect(() => {
    // It stays, because a field must not vanish while a visitor empties it.
    if (message) setIsShown(true);
  }, [message]);
  return (
    <div
      className={isShown ? undefined : 'not-has-[input:not(:placeholder-shown)]:sr-only'}
      aria-hidden={!isShown}
      data-trap=""
    >
      <TextField
        message={message}
        placeholder=" "
        autoComplete="off"
        tabIndex={isShown ? 0 : -1}
        {...input}
      />
    </div>
  );
}
