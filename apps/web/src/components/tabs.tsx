import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { cx } from './cx.ts'

export type Tab = { value: string; label: ReactNode; content: ReactNode }

const tabClass =
  '-mb-px min-h-11 shrink-0 border-b-2 border-transparent px-1 text-body font-medium text-ink-soft transition-colors duration-150 hover:text-ink aria-selected:border-(--ring) aria-selected:text-ink focus-visible:-outline-offset-2'

const KEY_MOVES: Record<string, (here: number, count: number) => number> = {
  ArrowRight: (here, count) => (here + 1) % count,
  ArrowLeft: (here, count) => (here - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

/** The tab a key leads to is shown at once, as is one that is clicked. */
function moveBetweenTabs(event: KeyboardEvent<HTMLElement>) {
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')]
  const here = tabs.findIndex((tab) => tab.contains(document.activeElement))
  const next = KEY_MOVES[event.key]?.(here, tabs.length)
  const tab = next === undefined ? undefined : tabs[next]
  if (!tab) return
  event.preventDefault()
  tab.focus()
}

type TabLabel = Pick<Tab, 'value' | 'label'>
type TabListProps = {
  label: string
  tabs: readonly TabLabel[]
  current: string | undefined
  onChoose: (value: string) => void
  /** How a tab is known, and the panel that it opens. */
  idOf: (value: string) => string
  panelOf: (value: string) => string
  /** Within a tab of another list. */
  inner?: boolean
}

const rowClass = 'flex gap-6 border-b border-line'
/** On a telephone a few stand below one another as they find room, so that none is cut; many are a row that scrolls. */
const MAX_WRAPPED_TABS = 4
const fewClass = 'max-sm:flex-wrap max-sm:gap-1 max-sm:border-0'
const fewTabClass =
  'max-sm:mb-0 max-sm:rounded-full max-sm:border-0 max-sm:px-3 max-sm:aria-selected:bg-primary-soft max-sm:aria-selected:text-primary-ink'
const manyClass = 'fade-sideways overflow-x-auto overflow-y-hidden'
const innerRowClass = 'flex flex-wrap gap-1'
const innerTabClass =
  'min-h-9 rounded-full px-3 text-body font-medium text-ink-soft transition-colors duration-150 hover:text-ink aria-selected:bg-primary-soft aria-selected:text-primary-ink'

const getTabClasses = (count: number, inner = false) => {
  if (inner) return { row: innerRowClass, tab: innerTabClass }
  if (count > MAX_WRAPPED_TABS) return { row: cx(rowClass, manyClass), tab: tabClass }
  return { row: cx(rowClass, fewClass), tab: cx(tabClass, fewTabClass) }
}

/** The room that a fading edge takes. */
const FADE_WIDTH = 40

/** In a row that scrolls, the tab that is open is in sight, however it was opened. */
function scrollToActiveTab(row: HTMLElement | null) {
  const tab = row?.querySelector('[aria-selected="true"]')
  if (!row || !tab) return
  const [rowBounds, own] = [row.getBoundingClientRect(), tab.getBoundingClientRect()]
  if (own.left < rowBounds.left) row.scrollLeft -= rowBounds.left - own.left + FADE_WIDTH
  else if (own.right > rowBounds.right) row.scrollLeft += own.right - rowBounds.right + FADE_WIDTH
}

/** Arrow keys move between tabs. */
export function TabList({ label, tabs, current, onChoose, idOf, panelOf, inner }: TabListProps) {
  const classes = getTabClasses(tabs.length, inner)
  const row = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time another one is open
  useEffect(() => scrollToActiveTab(row.current), [current])
  return (
    <div ref={row} role="tablist" aria-label={label} onKeyDown={moveBetweenTabs} className={classes.row}>
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
          className={classes.tab}
        >
          {name}
        </button>
      ))}
    </div>
  )
}

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
