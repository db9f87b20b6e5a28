import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'

export type Tab = { value: string; label: ReactNode; content: ReactNode }

const tabClass =
  '-mb-px min-h-11 shrink-0 border-b-2 border-transparent px-1 text-body font-medium text-ink-soft transition-colors duration-150 hover:text-ink aria-selected:border-(--ring) aria-selected:text-ink focus-visible:-outline-offset-2'

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

type Named = Pick<Tab, 'value' | 'label'>
type TabListProps = {
  label: string
  tabs: readonly Named[]
  current: string | undefined
  onChoose: (value: string) => void
  /** How a tab is known, and the panel that it opens. */
  idOf: (value: string) => string
  panelOf: (value: string) => string
  /** Within a tab of another list. */
  inner?: boolean
}

const rowClass = 'flex gap-6 overflow-x-auto overflow-y-hidden border-b border-line'
const innerRowClass = 'flex flex-wrap gap-1'
const innerTabClass =
  'min-h-9 rounded-full px-3 text-body font-medium text-ink-soft transition-colors duration-150 hover:text-ink aria-selected:bg-primary-soft aria-selected:text-primary-ink'

/** Arrow keys move between tabs; on a narrow screen the row scrolls. */
export const TabList = ({ label, tabs, current, onChoose, idOf, panelOf, inner }: TabListProps) => (
  <div role="tablist" aria-label={label} onKeyDown={onKeyDown} className={inner ? innerRowClass : rowClass}>
    {tabs.map(({ value, label: name }) => (
      <button
        key={value}
        type="button"
        role="tab"
        id={idOf(value)}
        aria-controls={panelOf(value)}
        aria-selected={value === current}
        tabIndex={value === current ? 0 : -1}
        onFocus={() => onChoose(value)}
        onClick={() => onChoose(value)}
        className={inner ? innerTabClass : tabClass}
      >
        {name}
      </button>
    ))}
  </div>
)

type TabsProps = { label: string; tabs: Tab[]; value?: string; onChange?: (value: string) => void }

export function Tabs({ label, tabs, value, onChange }: TabsProps) {
  const id = useId()
  const [own, setOwn] = useState(tabs[0]?.value)
  const current = value ?? own
  const choose = (next: string) => {
    if (next === current) return
    setOwn(next)
    onChange?.(next)
  }
  const idOf = (tab: string) => `${id}-${tab}`
  const panelOf = (tab: string) => `${idOf(tab)}-panel`
  return (
    <div>
      <TabList label={label} tabs={tabs} current={current} onChoose={choose} idOf={idOf} panelOf={panelOf} />
      {tabs.map((tab) => (
        <div
          key={tab.value}
          role="tabpanel"
          id={panelOf(tab.value)}
          aria-labelledby={idOf(tab.value)}
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
