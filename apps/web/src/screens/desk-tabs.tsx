import type { Permission } from '@voisol/contract/permissions'
import { type ComponentType, type ReactNode, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { useCan } from '../lib/can.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { groupPanels } from './desk-groups.ts'
import { GroupedTabs } from './grouped-tabs.tsx'

export type Panel = {
  id: string
  label: string
  /** Where a desk has many rubrics, those it stands among. */
  group?: string
  /** The right without which the panel is not offered; `also` what it reads beside it from its first moment. */
  permission: Permission
  also?: readonly Permission[]
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
export function TabbedPage({ title, description, panels, by = 'tab' }: Props) {
  const [search, setSearch] = useSearchParams()
  const can = useCan()
  const open = panels.filter(({ permission, also = [] }) => [permission, ...also].every(can))
  const groups = groupPanels(open)
  const operation = search.get('operation')
  const shown = open.find(({ id }) => id === search.get(by)) ?? open[0]
  const Shown = shown?.panel
  const content = Shown && (
    <Suspense fallback={<Skeleton className="h-96 w-full" />}>
      <Shown />
    </Suspense>
  )
  const label = `Rubriques\u00a0: ${title}`
  // The operation stays chosen; the rest of the address belongs to the tab that wrote it.
  const choose = (next: string) => setSearch({ [by]: next, ...(operation && { operation }) })
  return (
    <>
      <PageHeader title={title} description={description} actions={shown?.actions} />
      {shown && groups.length > 0 && (
        <GroupedTabs label={label} groups={groups} value={shown.id} onChange={choose}>
          {content}
        </GroupedTabs>
      )}
      {groups.length === 0 && open.length > 1 && (
        <Tabs
          label={label}
          tabs={open.map((each) => ({ value: each.id, label: each.label, content }))}
          value={shown?.id}
          onChange={choose}
        />
      )}
      {open.length === 1 && content}
    </>
  )
}
