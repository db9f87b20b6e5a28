import type { ComponentProps } from 'react'
import { cx } from './cx.ts'

export const controlClass = cx(
  'w-full rounded-control border border-control bg-card text-body text-ink transition-colors duration-150',
  'placeholder:text-ink-muted hover:border-ink-soft focus-visible:border-ring focus-visible:outline-offset-0',
  'aria-invalid:border-danger disabled:cursor-not-allowed disabled:border-line-strong disabled:bg-slate-100 disabled:text-ink-muted',
)

export const Input = ({ className, ...rest }: ComponentProps<'input'>) => (
  <input {...rest} className={cx(controlClass, 'h-control px-3', className)} />
)
