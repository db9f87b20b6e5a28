import { useQuery } from '@tanstack/react-query'
import { invoices } from '@voisol/contract/invoices'
import { KIND_WORDS } from '@voisol/contract/money'
import { choices } from '../../lib/energy-labels.ts'
import { month } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { FilterChips } from '../../ui/filter-chips.tsx'
import { Select } from '../../ui/select.tsx'
import { STATES } from './labels.ts'

type Filtered = {
  filters: { operationId?: string; sellerId?: string; month?: string; kind?: string; state?: string }
  setFilters: (change: Record<string, unknown>) => void
}
type ChoiceProps = {
  label: string
  all: string
  options: { value: string; label: string }[]
  value: string | undefined
  onChange: (value: string | undefined) => void
}
const Choice = ({ label, all, options, value, onChange }: ChoiceProps) => (
  <Select
    aria-label={label}
    className="max-w-[calc(50%-0.375rem)] sm:max-w-52"
    value={value ?? ''}
    onChange={(event) => onChange(event.target.value || undefined)}
    options={[{ value: '', label: all }, ...options]}
  />
)
const named = (items: { id: string; name: string }[]) => items.map(({ id, name }) => ({ value: id, label: name }))
const kinds = Object.entries(KIND_WORDS).map(([value, label]) => ({ value, label }))

/** A choice of one is none. */
export function InvoiceFilters({ filters, setFilters }: Filtered) {
  const { data } = useQuery(query(invoices.choices, {}))
  const { operations = [], sellers = [], months = [] } = data ?? {}
  return (
    <>
      {operations.length > 1 && (
        <Choice
          label="Opération"
          all="Toutes les opérations"
          options={named(operations)}
          value={filters.operationId}
          onChange={(operationId) => setFilters({ operationId })}
        />
      )}
      {sellers.length > 1 && (
        <Choice
          label="Vendeur"
          all="Tous les vendeurs"
          options={named(sellers)}
          value={filters.sellerId}
          onChange={(sellerId) => setFilters({ sellerId })}
        />
      )}
      <Choice
        label="Mois fourni"
        all="Tous les mois"
        options={months.map((day) => ({ value: day, label: month(day) }))}
        value={filters.month}
        onChange={(day) => setFilters({ month: day })}
      />
      <Choice
        label="Type de document"
        all="Tous les types"
        options={kinds}
        value={filters.kind}
        onChange={(kind) => setFilters({ kind })}
      />
      <FilterChips
        label="État"
        options={choices(STATES)}
        value={filters.state}
        onChange={(state) => setFilters({ state })}
      />
    </>
  )
}
