import { useQuery } from '@tanstack/react-query'
import { operations } from '@voisol/contract/operations'
import { only } from '../../lib/can.tsx'
import { query } from '../../lib/queries.ts'
import { Select } from '../../ui/select.tsx'

type Option = { value: string; label: string }
type ChoiceProps = {
  label: string
  all: string
  options: Option[]
  value: string | undefined
  onChange: (value: string) => void
  className?: string
}

const half = 'max-w-[calc(50%-0.375rem)] sm:max-w-52'

export const Choice = ({ label, all, options, value, onChange, className = half }: ChoiceProps) => (
  <Select
    aria-label={label}
    className={className}
    value={value ?? ''}
    onChange={(event) => onChange(event.target.value)}
    options={[{ value: '', label: all }, ...options]}
  />
)

export const OperationFilter = only(operations.list, ({ value, onChange }: Pick<ChoiceProps, 'value' | 'onChange'>) => {
  const { data } = useQuery(query(operations.list, { query: { size: 100, sort: 'name' } }))
  const options = data?.items.map(({ id, name }) => ({ value: id, label: name })) ?? []
  return (
    <Choice
      label="Opération"
      all="Toutes les opérations"
      options={options}
      value={value}
      onChange={onChange}
      className="sm:max-w-52"
    />
  )
})
