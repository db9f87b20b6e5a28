import { useQuery } from '@tanstack/react-query'
import { tariffs } from '@voisol/contract/tariffs'
import { type ReactNode, useId } from 'react'
import { query } from '../../lib/queries.ts'
import { FieldFrame } from '../../ui/field-frame.tsx'
import { Input } from '../../ui/input.tsx'
import { Select } from '../../ui/select.tsx'
import type { RuleForm } from './form.ts'

type Props = { rule: RuleForm; onChange: (change: Partial<RuleForm>) => void }
type IndexFigureName = 'base' | 'fixed' | 'floor' | 'cap'

function FigureField({
  name,
  label,
  hint,
  rule,
  onChange,
}: Props & { name: IndexFigureName; label: string; hint?: ReactNode }) {
  const id = useId()
  return (
    <FieldFrame id={id} label={label} hint={hint}>
      <Input
        id={id}
        inputMode="decimal"
        autoComplete="off"
        value={rule[name]}
        onChange={({ target }) => onChange({ [name]: target.value })}
        className="tabular"
      />
    </FieldFrame>
  )
}

/** The index a price follows, where it follows one. */
export function IndexFields(props: Props) {
  const { rule, onChange } = props
  const id = useId()
  const { data } = useQuery(query(tariffs.indexes, {}))
  const items = data?.items ?? []
  if (items.length === 0 && !rule.indexId) return null
  const chooseIndex = (indexId: string) => {
    const base = items.find((index) => index.id === indexId)?.words.find(({ holds, value }) => holds && value !== null)
    onChange({ indexId, base: rule.base || (base?.value ?? '').replace('.', ',') })
  }
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <FieldFrame id={id} label="Indexation">
        <Select
          id={id}
          value={rule.indexId}
          onChange={({ target }) => chooseIndex(target.value)}
          options={[
            { value: '', label: 'Prix fixe' },
            ...items.map((index) => ({ value: index.id, label: `Suit ${index.name}` })),
          ]}
        />
      </FieldFrame>
      {rule.indexId && (
        <>
          <FigureField {...props} name="base" label="Indice de départ" />
          <FigureField {...props} name="fixed" label="Part fixe (%)" />
          <FigureField {...props} name="floor" label="Plancher (c€/kWh)" />
          <FigureField {...props} name="cap" label="Plafond (c€/kWh)" />
        </>
      )}
    </div>
  )
}
