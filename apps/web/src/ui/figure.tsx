import { cx } from './cx.ts'

/** A formatted quantity with its unit smaller and lighter than its number. */
export function Figure({ children, className }: { children: string; className?: string }) {
  const cut = children.lastIndexOf('\u00a0')
  const [value, unit] = cut < 0 ? [children, ''] : [children.slice(0, cut), children.slice(cut + 1)]
  return (
    <span className={cx('tabular whitespace-nowrap', className)}>
      {value}
      {unit && <span className="text-[0.6em] font-normal text-ink-soft">&nbsp;{unit}</span>}
    </span>
  )
}
