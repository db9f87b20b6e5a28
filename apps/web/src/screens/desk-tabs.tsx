import type { Permission } from '@voisol/contract/permissions'
import { type ComponentType, type ReactNode, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { useCan } from '../lib/can.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Tabs } from '../ui/tabs.tsx'

export type Panel = {
  id: string
  label: string
  permission: Permission
  panel: ComponentType
  /** Buttons of the page while it is shown. */
  actions?: ReactNode
}
type Props = {
  title: string
  description: string
  panels: Panel[] /** The name of the tab in the address. */
  by?: string
}

/** A desk made of several features: those one may read, one at a time, by the address. */
export function DeskTabs({ title, description, panels, by = 'tab' }: Props) {
  const [search, setSearch] = useSearchParams()
  const can = useCan()
  const open = panels.filter(({ permission }) => can(permission))
  const tabs = open.map(({ id, label, panel: Shown }) => ({
    value: id,
    label,
    content: (
      <Suspense fallback={<Skeleton className="h-96 w-full" />}>
        <Shown />
      </Suspense>
    ),
  }))
  const asked = search.get(by)
  const operation = search.get('operation')
  const tab = tabs.find(({ value }) => value === asked) ?? tabs[0]
  return (
    <>
      <PageHeader title={title} description={description} actions={open.find(({ id }) => id === tab?.value)?.actions} />
      {/* The operation stays chosen; the rest of the address belongs to the tab that wrote it. */}
      {tabs.length > 1 ? (
        <Tabs
          label={`Rubriques\u00a0: ${title}`}
          tabs={tabs}
          value={tab?.value}
          onChange={(next) => setSearch({ [by]: next, ...(operation && { operation }) })}
        />
      ) : (
        tab?.content
      )}
    </>
  )
}
