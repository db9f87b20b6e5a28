import type { ReactNode } from 'react'
import { cx } from './cx.ts'

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
