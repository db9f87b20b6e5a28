import { PERMISSION_LABELS } from '@voisol/contract/permission-labels'
import type { Permission } from '@voisol/contract/permissions'
import Check from 'lucide-react/icons/check'
import { useId } from 'react'
import { togglePermission } from '../../lib/rights.ts'
import { Checkbox, CheckboxInput } from '../../ui/checkbox.tsx'
import { groupRights, type RightGroup } from './groups.ts'

/** Down, then across: the rights of a feature stand under one another. */
const columnsClass = 'gap-x-8 sm:columns-2 [&>*]:mb-2.5 [&>*]:break-inside-avoid'
const getRightLabel = (right: Permission) => PERMISSION_LABELS[right]

type RightFieldsProps = {
  offered: readonly Permission[]
  value: Permission[]
  onChange: (rights: Permission[]) => void
}

function RightGroupFields({
  group: { label, rights },
  value,
  onChange,
}: { group: RightGroup } & Omit<RightFieldsProps, 'offered'>) {
  const id = useId()
  const checkedCount = rights.filter((right) => value.includes(right)).length
  const all = checkedCount === rights.length
  const others = value.filter((right) => !rights.includes(right))
  return (
    <fieldset aria-labelledby={id} className="grid gap-3 border-t border-line pt-4 first:border-0 first:pt-0">
      {/* biome-ignore lint/a11y/noLabelWithoutControl: CheckboxInput renders the input */}
      <label id={id} className="flex min-h-6 items-center gap-2 text-body font-semibold">
        <CheckboxInput
          aria-label={`${label}, tous les droits`}
          checked={all}
          mixed={checkedCount > 0 && !all}
          onChange={() => onChange(all ? others : [...others, ...rights])}
        />
        {label}
        <span className="tabular font-normal text-ink-soft">
          {checkedCount} sur {rights.length}
        </span>
      </label>
      <div className={columnsClass}>
        {rights.map((right) => (
          <Checkbox
            key={right}
            label={getRightLabel(right)}
            checked={value.includes(right)}
            onChange={({ target }) => onChange(togglePermission(value, right, target.checked))}
          />
        ))}
      </div>
    </fieldset>
  )
}

/** What the role may do, group by group. */
export const RightFields = ({ offered, value, onChange }: RightFieldsProps) => (
  <div className="grid gap-5">
    {groupRights(offered).map((group) => (
      <RightGroupFields key={group.label} group={group} value={value} onChange={onChange} />
    ))}
  </div>
)

/** The same, to be read. */
export const RightList = ({ rights }: { rights: readonly Permission[] }) => (
  <div className="grid gap-5">
    {groupRights(rights).map(({ label, rights: own }) => (
      <section key={label} className="grid gap-2.5 border-t border-line pt-4 first:border-0 first:pt-0">
        <h3 className="text-body font-semibold">{label}</h3>
        <ul className={columnsClass}>
          {own.map((right) => (
            <li key={right} className="flex items-start gap-2 text-body">
              <Check aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-success" />
              {getRightLabel(right)}
            </li>
          ))}
        </ul>
      </section>
    ))}
  </div>
)
