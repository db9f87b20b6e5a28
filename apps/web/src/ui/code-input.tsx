import type { ComponentProps } from 'react'
import { cx } from './cx.ts'
import { controlClass } from './input.tsx'

const CODE_LENGTH = 6

/** One field rather than six boxes: it can be pasted into, filled by the phone and read out. */
export const CodeInput = ({ onChange, className, ...rest }: ComponentProps<'input'>) => (
  <input
    {...rest}
    type="text"
    inputMode="numeric"
    autoComplete="one-time-code"
    placeholder="000000"
    pattern={`\\d{${CODE_LENGTH}}`}
    onChange={(event) => {
      event.target.value = event.target.value.replace(/\D/g, '').slice(0, CODE_LENGTH)
      onChange?.(event)
    }}
    className={cx(
      controlClass,
      'tabular h-12 max-w-52 px-4 text-center text-2xl! tracking-[0.3em] placeholder:text-line-strong',
      className,
    )}
  />
)
