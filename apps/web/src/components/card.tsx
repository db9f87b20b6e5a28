import type { ReactNode } from 'react'
import { cx } from './cx.ts'

export type Fact = { label: string; value: ReactNode }

export const cardClass = 'rounded-card border border-line bg-card shadow-card'

export function Card(props: {
  title?: string
  description?: ReactNode
  actions?: ReactNode
  className?: string
  children: ReactNode
}) {
  return (
    <section className={cx(cardClass, 'p-5 sm:p-6', props.className)}>
      {(props.title || props.actions) && (
        <header className="mb-4 flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
          <div className={cx('min-w-0', props.description !== undefined && 'max-w-2xl flex-1 basis-72')}>
            {props.title && <h2 className="text-base font-semibold tracking-[-0.01em]">{props.title}</h2>}
            {props.description && <p className="mt-0.5 text-body text-ink-soft">{props.description}</p>}
          </div>
          {props.actions && <div className="flex flex-wrap gap-2">{props.actions}</div>}
        </header>
      )}
      {props.children}
    </section>
  )
}

/** What a form would show to somebody who may change it. */
export const FactList = ({ facts }: { facts: Fact[] }) => (
  <dl className="grid max-w-2xl divide-y divide-line text-body">
    {facts.map(({ label, value }) => (
      <div
        key={label}
        className="grid gap-x-6 gap-y-0.5 py-2.5 first:pt-0 last:pb-0 sm:grid-cols-[14rem_minmax(0,1fr)]"
      >
        <dt className="text-ink-soft">{label}</dt>
        <dd className="min-w-0 font-medium break-words whitespace-pre-line">{value}</dd>
      </div>
    ))}
  </dl>
)

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
