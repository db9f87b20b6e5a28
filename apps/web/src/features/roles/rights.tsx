import { PERMISSION_LABELS } from '@voisol/contract/permission-labels'
import type { Permission } from '@voisol/contract/permissions'
import Check from 'lucide-react/icons/check'
import { useId } from 'react'
import { ticked } from '../../lib/rights.ts'
import { Checkbox, CheckboxInput } from '../../ui/checkbox.tsx'
import { groupsOf, type RightGroup } from './groups.ts'

/** Down, then across: the rights of a feature stand under one another. */
const columns = 'gap-x-8 sm:columns-2 [&>*]:mb-2.5 [&>*]:break-inside-avoid'
const labelOf = (right: Permission) => PERMISSION_LABELS[right]

type FieldsProps = {
  offered: readonly Permission[]
  value: Permission[]
  onChange: (rights: Permission[]) => void
}

function Group({ group: { label, rights }, value, onChange }: { group: RightGroup } & Omit<FieldsProps, 'offered'>) {
  const id = useId()
  const held = rights.filter((right) => value.includes(right)).length
  const all = held === rights.length
  const others = value.filter((right) => !rights.includes(right))
  return (
    <fieldset aria-labelledby={id} className="grid gap-3 border-t border-line pt-4 first:border-0 first:pt-0">
      {/* biome-ignore lint/a11y/noLabelWithoutControl: CheckboxInput renders the input */}
      <label id={id} className="flex min-h-6 items-center gap-2 text-body font-semibold">
        <CheckboxInput
          aria-label={`${label}, tous les droits`}
          checked={all}
          mixed={held > 0 && !all}
          onChange={() => onChange(all ? others : [...others, ...rights])}
        />
        {label}
        <span className="tabular font-normal text-ink-soft">
          {held} sur {rights.length}
        </span>
      </label>
      <div className={columns}>
        {rights.map((right) => (
          <Checkbox
            key={right}
            label={labelOf(right)}
            checked={value.includes(right)}
            onChange={({ target }) => onChange(ticked(value, right, target.checked))}
          />
        ))}
      </div>
    </fieldset>
  )
}

/** What the role may do, group by group. */
export const RightFields = ({ offered, value, onChange }: FieldsProps) => (
  <div className="grid gap-5">
    {groupsOf(offered).map((group) => (
      <Group key={group.label} group={group} value={value} onChange={onChange} />
    ))}
  </div>
)

/** The same, to be read. */
export const RightList = ({ rights }: { rights: readonly Permission[] }) => (
  <div className="grid gap-5">
    {groupsOf(rights).map(({ label, rights: own }) => (
      <section key={label} className="grid gap-2.5 border-t border-line pt-4 first:border-0 first:pt-0">
        <h3 className="text-body font-semibold">{label}</h3>
        <ul className={columns}>
          {own.map((right) => (
            <li key={right} className="flex items-start gap-2 text-body">
              <Check aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-success" />
              {labelOf(right)}
            </li>
          ))}
        </ul>
      </section>
    ))}
  </div>
)
