import type { ComponentProps } from 'react'
import { cx } from './cx.ts'
import { controlClass } from './input.tsx'

export const Textarea = ({ className, rows = 4, ...rest }: ComponentProps<'textarea'>) => (
  <textarea {...rest} rows={rows} className={cx(controlClass, 'field-sizing-content min-h-24 px-3 py-2', className)} />
)
