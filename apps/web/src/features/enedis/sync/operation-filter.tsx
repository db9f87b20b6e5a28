import { useQuery } from '@tanstack/react-query'
import { operations } from '@voisol/contract/operations'
import { Select } from '../../../components/input.tsx'
import { withAccess } from '../../../lib/can.tsx'
import { query } from '../../../lib/queries.ts'

type FilterOption = { value: string; label: string }
type FilterSelectProps = {
  label: string
  all: string
  options: FilterOption[]
  value: string | undefined
  onChange: (value: string) => void
  className?: string
}

const halfWidthClass = 'max-w-[calc(50%-0.375rem)] sm:max-w-52'

export const FilterSelect = ({
  label,
  all,
  options,
  value,
  onChange,
  className = halfWidthClass,
}: FilterSelectProps) => (
  <Select
    aria-label={label}
    className={className}
    value={value ?? ''}
    onChange={(event) => onChange(event.target.value)}
    options={[{ value: '', label: all }, ...options]}
  />
)

export const SyncOperationFilter = withAccess(
  operations.list,
  ({ value, onChange }: Pick<FilterSelectProps, 'value' | 'onChange'>) => {
    const { data } = useQuery(query(operations.list, { query: { size: 100, sort: 'name' } }))
    const options = data?.items.map(({ id, name }) => ({ value: id, label: name })) ?? []
    return (
      <FilterSelect
        label="Opération"
        all="Toutes les opérations"
        options={options}
        value={value}
        onChange={onChange}
        className="sm:max-w-52"
      />
    )
  },
)
