import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'

export type Tab = { value: string; label: ReactNode; content: ReactNode }

const tabClass =
  '-mb-px min-h-11 shrink-0 border-b-2 border-transparent px-1 text-body font-medium text-ink-soft transition-colors duration-150 hover:text-ink aria-selected:border-primary aria-selected:text-ink focus-visible:-outline-offset-2'

const STEPS: Record<string, (here: number, count: number) => number> = {
  ArrowRight: (here, count) => (here + 1) % count,
  ArrowLeft: (here, count) => (here - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

/** The tab a key leads to is shown at once, as is one that is clicked. */
function onKeyDown(event: KeyboardEvent<HTMLElement>) {
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')]
  const here = tabs.findIndex((tab) => tab.contains(document.activeElement))
  const next = STEPS[event.key]?.(here, tabs.length)
  const tab = next === undefined ? undefined : tabs[next]
  if (!tab) return
  event.preventDefault()
  tab.focus()
}

type TabsProps = { label: string; tabs: Tab[]; value?: string; onChange?: (value: string) => void }

/** Arrow keys move between tabs; on a narrow screen the row scrolls. */
export function Tabs({ label, tabs, value, onChange }: TabsProps) {
  const id = useId()
  const [own, setOwn] = useState(tabs[0]?.value)
  const current = value ?? own
  const choose = (next: string) => {
    if (next === current) return
    setOwn(next)
    onChange?.(next)
  }
  return (
    <div>
      <div
        role="tablist"
        aria-label={label}
        onKeyDown={onKeyDown}
        className="flex gap-6 overflow-x-auto overflow-y-hidden border-b border-line"
      >
        {tabs.map((tab) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}-${tab.value}`}
            aria-controls={`${id}-${tab.value}-panel`}
            aria-selected={tab.value === current}
            tabIndex={tab.value === current ? 0 : -1}
            onFocus={() => choose(tab.value)}
            onClick={() => choose(tab.value)}
            className={tabClass}
          >
            {tab.label}
          </button>
        ))}
      </div>
      {tabs.map((tab) => (
        <div
          key={tab.value}
          role="tabpanel"
          id={`${id}-${tab.value}-panel`}
          aria-labelledby={`${id}-${tab.value}`}
          hidden={tab.value !== current}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a panel without a control of its own is reached by Tab too
          tabIndex={0}
          className="pt-6"
        >
          {tab.value === current && tab.content}
        </div>
      ))}
    </div>
  )
}
