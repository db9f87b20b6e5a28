import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { cardClass, type Fact } from './card.tsx'
import { cx } from './cx.ts'
import { type Tab, Tabs } from './tabs.tsx'

const TAB_PARAM = 'onglet'

/** The few facts one looks for first. */
export const SummaryStrip = ({ facts }: { facts: Fact[] }) => (
  <dl
    className={cx(cardClass, 'grid grid-cols-2 gap-x-6 gap-y-4 p-5 sm:grid-cols-[repeat(auto-fit,minmax(9rem,1fr))]')}
  >
    {facts.map((fact) => (
      <div key={fact.label} className="min-w-0">
        <dt className="text-[0.8125rem] text-ink-soft">{fact.label}</dt>
        <dd className="tabular mt-1 font-medium">{fact.value}</dd>
      </div>
    ))}
  </dl>
)

/** Header, summary strip, then tabs; the open tab is in the URL. */
export function DetailScreen({
  header,
  facts,
  label,
  tabs,
}: {
  header: ReactNode
  facts: Fact[]
  label: string
  tabs: Tab[]
}) {
  const [search, setSearch] = useSearchParams()
  const asked = search.get(TAB_PARAM)
  const value = tabs.find((tab) => tab.value === asked)?.value ?? tabs[0]?.value
  const open = (next: string) =>
    setSearch(
      (old) => {
        old.set(TAB_PARAM, next)
        return old
      },
      { preventScrollReset: true },
    )
  return (
    <>
      {header}
      <div className="grid gap-6 [&>*]:min-w-0">
        <SummaryStrip facts={facts} />
        <Tabs label={label} tabs={tabs} value={value} onChange={open} />
      </div>
    </>
  )
}
