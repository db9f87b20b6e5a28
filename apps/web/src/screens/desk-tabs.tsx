import type { Permission } from '@voisol/contract/permissions'
import { type ComponentType, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { useCan } from '../lib/can.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Tabs } from '../ui/tabs.tsx'

export type Panel = { id: string; label: string; permission: Permission; panel: ComponentType }
type Props = { title: string; description: string; panels: Panel[] }

/** A desk made of several features: those one may read, one at a time, by the address. */
export function DeskTabs({ title, description, panels }: Props) {
  const [search, setSearch] = useSearchParams()
  const can = useCan()
  const tabs = panels
    .filter(({ permission }) => can(permission))
    .map(({ id, label, panel: Shown }) => ({
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
      <PageHeader title={title} description={description} />
      {/* The operation stays chosen; the rest of the address belongs to the tab that wrote it. */}
      <Tabs
        label={`Rubriques\u00a0: ${title}`}
        tabs={tabs}
        value={tab?.value}
        onChange={(next) => setSearch({ tab: next, ...(operation && { operation }) })}
      />
    </>
  )
}
