import { type ReactNode, useId } from 'react'
import { FieldFrame } from '../ui/field-frame.tsx'
import { Select } from '../ui/select.tsx'
import { TabList } from '../ui/tabs.tsx'
import type { PanelGroup } from './desk-groups.ts'

type Rubric = { id: string; label: string }
type Props = {
  label: string
  groups: PanelGroup<Rubric>[]
  value: string
  onChange: (id: string) => void
  children: ReactNode
}

/** On a telephone one list holds them all, which its own wheel shows. */
function TabSelect({ groups, value, onChange }: Omit<Props, 'label' | 'children'>) {
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
export function GroupedTabs({ label, groups, value, onChange, children }: Props) {
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
