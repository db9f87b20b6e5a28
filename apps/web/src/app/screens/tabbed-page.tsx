import type { Permission } from '@voisol/contract/permissions'
import { type ComponentType, type ReactNode, Suspense, useId } from 'react'
import { useSearchParams } from 'react-router'
import { FieldFrame, Select } from '../../components/input.tsx'
import { Skeleton } from '../../components/loading.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { TabList, Tabs } from '../../components/tabs.tsx'
import { useCan } from '../../lib/can.tsx'

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

type Rubric = { id: string; label: string }
type GroupedTabsProps = {
  label: string
  groups: PanelGroup<Rubric>[]
  value: string
  onChange: (id: string) => void
  children: ReactNode
}

/** On a telephone one list holds them all, which its own wheel shows. */
function TabSelect({ groups, value, onChange }: Omit<GroupedTabsProps, 'label' | 'children'>) {
  const id = useId()
  return (
    <FieldFrame id={id} label="Rubrique">
      <Select id={id} value={value} onChange={({ target }) => onChange(target.value)}>
        {groups.map(({ label, panels }) => (
          <optgroup key={label} label={label}>
            {panels.map((panel) => (
              <option key={panel.id} value={panel.id}>
                {panel.label}
              </option>
            ))}
          </optgroup>
        ))}
      </Select>
    </FieldFrame>
  )
}

const toTab = ({ id, label }: Rubric) => ({ value: id, label })

/** Two rows of tabs: the groups, then the rubrics of the one that is open. */
function GroupedTabs({ label, groups, value, onChange, children }: GroupedTabsProps) {
  const id = useId()
  const currentGroup = groups.find(({ panels }) => panels.some((panel) => panel.id === value))
  const panel = `${id}-panel`
  const choose = (next: string | undefined) => {
    if (next && next !== value) onChange(next)
  }
  const enter = (group: string) => {
    if (group !== currentGroup?.label) choose(groups.find((each) => each.label === group)?.panels[0]?.id)
  }
  const alone = currentGroup?.panels.length === 1
  return (
    <>
      <div className="md:hidden">
        <TabSelect groups={groups} value={value} onChange={choose} />
      </div>
      <div className="grid gap-3 max-md:hidden">
        <TabList
          label={label}
          tabs={groups.map((group) => ({ value: group.label, label: group.label }))}
          current={currentGroup?.label}
          onChoose={enter}
          idOf={(group) => `${id}-${groups.findIndex((each) => each.label === group)}`}
          panelOf={() => panel}
        />
        {currentGroup && !alone && (
          <TabList
            inner
            label={currentGroup.label}
            tabs={currentGroup.panels.map(toTab)}
            current={value}
            onChoose={choose}
            idOf={(rubric) => `${id}-${rubric}`}
            panelOf={() => panel}
          />
        )}
      </div>
      <div
        role="tabpanel"
        id={panel}
        aria-label={currentGroup?.panels.find((each) => each.id === value)?.label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a panel without a control of its own is reached by Tab too
        tabIndex={0}
        className="mt-3 pt-3"
      >
        <div key={value} className="contents">
          {children}
        </div>
      </div>
    </>
  )
}

type GroupedPanel = { group?: string | undefined }
type PanelGroup<P> = { label: string; panels: P[] }

/**
 * Rubrics under the name of their group, as they come; one without a name stands with the one before it. Where a reader
 * is left with a single group, or a desk has none, there are none.
 */
export function groupPanels<P extends GroupedPanel>(panels: readonly P[]): PanelGroup<P>[] {
  const groups = new Map<string, P[]>()
  let name: string | undefined
  for (const panel of panels) {
    name = panel.group ?? name
    if (name) groups.set(name, [...(groups.get(name) ?? []), panel])
  }
  const groupedCount = [...groups.values()].flat().length
  return groups.size < 2 || groupedCount < panels.length
    ? []
    : [...groups].map(([label, its]) => ({ label, panels: its }))
}
