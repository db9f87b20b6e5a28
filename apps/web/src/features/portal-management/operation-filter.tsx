import { useQuery } from '@tanstack/react-query'
import { operations } from '@voisol/contract/operations'
import { useCan } from '../../lib/can.tsx'
import { query } from '../../lib/queries.ts'
import { Select } from '../../ui/select.tsx'

type Props = { value: string | undefined; onChange: (id: string) => void }

/** Nothing to choose from where there is one operation, or where they may not be read. */
export function PortalOperationFilter({ value, onChange }: Props) {
  const enabled = useCan()(operations.list)
  const { data } = useQuery({ ...query(operations.list, { query: { size: 100, sort: 'name' } }), enabled })
  if (!data || data.items.length < 2) return null
  return (
    <Select
      aria-label="Opération"
      className="sm:w-64"
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value)}
      options={[
        { value: '', label: 'Toutes les opérations' },
        ...data.items.map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  )
}
