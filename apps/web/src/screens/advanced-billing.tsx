import { lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { PageHeader } from '../ui/page-header.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Tabs } from '../ui/tabs.tsx'

const TABS = [
  { id: 'tarifs', label: 'Tarifs', panel: lazy(() => import('../features/tariffs/tariffs-tab.tsx')) },
  { id: 'frais', label: 'Frais et remises', panel: lazy(() => import('../features/tariffs/terms-tab.tsx')) },
  { id: 'indices', label: 'Indices', panel: lazy(() => import('../features/tariffs/indexes-tab.tsx')) },
]

/** What invoices are made of: prices, who sells and who buys, and every legal figure. */
export default function AdvancedBilling() {
  const [search, setSearch] = useSearchParams()
  const asked = search.get('tab')
  const tab = TABS.find(({ id }) => id === asked)?.id ?? TABS[0]?.id ?? ''
  // The operation stays chosen; the rest of the address belongs to the tab that wrote it.
  const operation = search.get('operation')
  return (
    <>
      <PageHeader
        title="Facturation avancée"
        description="Les prix, ceux qui vendent et achètent, et les réglages dont les factures sont faites."
      />
      <Tabs
        label="Rubriques de la facturation avancée"
        value={tab}
        onChange={(id) => setSearch({ tab: id, ...(operation && { operation }) })}
        tabs={TABS.map(({ id, label, panel: Panel }) => ({
          value: id,
          label,
          content: (
            <Suspense fallback={<Skeleton className="h-96 w-full" />}>
              <Panel />
            </Suspense>
          ),
        }))}
      />
    </>
  )
}
