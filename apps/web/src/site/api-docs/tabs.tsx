import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'
import { cx } from '../../ui/cx.ts'

type SiteTab<V extends string> = { value: V; label: string }
type TabsProps<V extends string> = {
  label: string
  tabs: readonly SiteTab<V>[]
  value: V
  onChange: (value: V) => void
  look?: 'line' | 'small'
  children: ReactNode
}

const tabClasses = {
  line: '-mb-px min-h-12 border-b-2 border-transparent px-1 font-medium text-ink-soft hover:text-ink aria-selected:border-local aria-selected:text-ink',
  small:
    'min-h-8 rounded-md px-3 text-[0.875rem] text-slate-300 hover:text-white aria-selected:bg-white/15 aria-selected:text-white',
}
const rowClasses = { line: 'gap-6 border-b border-line', small: 'gap-1' }

/** A row of tabs and the panel of the chosen one; arrows move between them. */
export function SiteTabs<V extends string>({ label, tabs, value, onChange, look = 'line', children }: TabsProps<V>) {
  const id = useId()
  const row = useRef<HTMLDivElement>(null)
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    const at = tabs.findIndex((tab) => tab.value === value)
    const next = tabs[(at + step + tabs.length) % tabs.length]
    if (!next) return
    onChange(next.value)
    row.current?.querySelector<HTMLElement>(`[data-value="${next.value}"]`)?.focus()
  }
  return (
    <div>
      <div
        ref={row}
        role="tablist"
        aria-label={label}
        onKeyDown={move}
        className={cx('flex overflow-x-auto overflow-y-hidden', rowClasses[look])}
      >
        {tabs.map((tab) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}-${tab.value}`}
            data-value={tab.value}
            aria-selected={tab.value === value}
            aria-controls={`${id}-panel`}
            tabIndex={tab.value === value ? 0 : -1}
            onClick={() => onChange(tab.value)}
            className={cx('shrink-0 transition-colors duration-150', tabClasses[look])}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`}>
        {children}
      </div>
    </div>
  )
}
