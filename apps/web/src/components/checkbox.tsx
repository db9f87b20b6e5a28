import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react'
import { cx } from './cx.ts'

// The input fills its 24 px target; what is seen is a smaller box behind it.
const targetClass = 'peer absolute inset-0 z-10 size-6 appearance-none rounded-md disabled:cursor-not-allowed'
const boxClass = cx(
  'size-[1.125rem] rounded-[0.3rem] border border-control bg-card transition-colors duration-150 peer-hover:border-ink-soft',
  'peer-checked:border-primary-solid peer-checked:bg-primary-solid peer-indeterminate:border-primary-solid peer-indeterminate:bg-primary-solid',
  'peer-aria-invalid:border-danger peer-disabled:opacity-50',
)
const markClass = 'pointer-events-none absolute inset-0 m-auto size-3 text-on-primary-solid opacity-0'

/** The box alone, for tables; elsewhere use Checkbox with its words. */
export function CheckboxInput({ mixed = false, ...rest }: ComponentProps<'input'> & { mixed?: boolean }) {
  const shell = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const input = shell.current?.querySelector('input')
    if (input) input.indeterminate = mixed
  }, [mixed])
  return (
    <span ref={shell} className="relative inline-grid size-6 shrink-0 place-items-center">
      <input {...rest} type="checkbox" className={targetClass} />
      <span aria-hidden="true" className={boxClass} />
      <svg
        aria-hidden="true"
        viewBox="0 0 12 12"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        className={cx(markClass, 'peer-checked:opacity-100 peer-indeterminate:opacity-0')}
      >
        <path d="m2 6.5 2.7 2.7L10 3.5" strokeLinecap="round" strokeLinejoin="round" />
      </svg>
      <svg
        aria-hidden="true"
        viewBox="0 0 12 12"
        stroke="currentColor"
        strokeWidth="2"
        className={cx(markClass, 'peer-indeterminate:opacity-100')}
      >
        <path d="M2.5 6h7" strokeLinecap="round" />
      </svg>
    </span>
  )
}

export const Checkbox = ({ label, hint, ...rest }: ComponentProps<'input'> & { label: ReactNode; hint?: string }) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: CheckboxInput renders the input
  <label className="flex min-h-6 items-start gap-2 text-body">
    <CheckboxInput {...rest} />
    <span className="pt-0.5">
      {label}
      {hint && <span className="block text-[0.8125rem] text-ink-soft">{hint}</span>}
    </span>
  </label>
)
