import type { Permission } from '@voisol/contract/permissions'
import { type ComponentType, lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { useCan } from '../lib/can.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Tabs } from '../ui/tabs.tsx'

type Panel = { id: string; label: string; permission: Permission; panel: ComponentType }

const TABS: Panel[] = [
  {
    id: 'tarifs',
    label: 'Tarifs',
    permission: 'tariffs.read',
    panel: lazy(() => import('../features/tariffs/tariffs-tab.tsx')),
  },
  {
    id: 'frais',
    label: 'Frais et remises',
    permission: 'tariffs.read',
    panel: lazy(() => import('../features/tariffs/terms-tab.tsx')),
  },
  {
    id: 'indices',
    label: 'Indices',
    permission: 'tariffs.read',
    panel: lazy(() => import('../features/tariffs/indexes-tab.tsx')),
  },
  {
    id: 'sellers',
    label: 'Vendeurs et mandats',
    permission: 'parties.read',
    panel: lazy(() => import('../features/parties/sellers.tsx')),
  },
  {
    id: 'buyers',
    label: 'Acheteurs',
    permission: 'parties.read',
    panel: lazy(() => import('../features/parties/buyers.tsx')),
  },
  {
    id: 'settings',
    label: 'Réglages légaux',
    permission: 'parties.read',
    panel: lazy(() => import('../features/settings/list.tsx')),
  },
]

/** What invoices are made of, beside energy: prices, parties, and what the law asks for. */
export default function AdvancedBilling() {
  const [search, setSearch] = useSearchParams()
  const can = useCan()
  const tabs = TABS.filter(({ permission }) => can(permission)).map(({ id, label, panel: Shown }) => ({
    value: id,
    label,
    content: (
      <Suspense fallback={<Skeleton className="h-96 w-full" />}>
        <Shown />
      </Suspense>
    ),
  }))
  const asked = search.get('tab')
  const operation = search.get('operation')
  const tab = tabs.find(({ value }) => value === asked) ?? tabs[0]
  return (
    <>
      <PageHeader
        title="Facturation avancée"
        description="Les prix, ceux qui vendent et achètent, et ce que la loi demande à une facture."
      />
      {/* Filters belong to their tab: another one starts without them, on the same operation. */}
      <Tabs
        label="Facturation avancée"
        tabs={tabs}
        value={tab?.value}
        onChange={(next) => setSearch({ tab: next, ...(operation && { operation }) })}
      />
    </>
  )
}
