import { useQuery } from '@tanstack/react-query'
import { invoices } from '@voisol/contract/invoices'
import { INVOICE_KIND_LABELS } from '@voisol/contract/money'
import { toChoices } from '../../lib/energy-labels.ts'
import { formatMonth } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { FilterChips } from '../../ui/filter-chips.tsx'
import { Select } from '../../ui/select.tsx'
import { INVOICE_STATE_LABELS } from './labels.ts'

type InvoiceFiltersProps = {
  filters: { operationId?: string; sellerId?: string; month?: string; kind?: string; state?: string }
  setFilters: (change: Record<string, unknown>) => void
}
type FilterSelectProps = {
  label: string
  all: string
  options: { value: string; label: string }[]
  value: string | undefined
  onChange: (value: string | undefined) => void
}
const FilterSelect = ({ label, all, options, value, onChange }: FilterSelectProps) => (
  <Select
    aria-label={label}
    className="max-w-[calc(50%-0.375rem)] sm:max-w-52"
    value={value ?? ''}
    onChange={(event) => onChange(event.target.value || undefined)}
    options={[{ value: '', label: all }, ...options]}
  />
)
const toOptions = (items: { id: string; name: string }[]) => items.map(({ id, name }) => ({ value: id, label: name }))
const KIND_OPTIONS = Object.entries(INVOICE_KIND_LABELS).map(([value, label]) => ({ value, label }))

/** A choice of one is none. */
export function InvoiceFilters({ filters, setFilters }: InvoiceFiltersProps) {
  const { data } = useQuery(query(invoices.choices, {}))
  const { operations = [], sellers = [], months = [] } = data ?? {}
  return (
    <>
      {operations.length > 1 && (
        <FilterSelect
          label="Opération"
          all="Toutes les opérations"
          options={toOptions(operations)}
          value={filters.operationId}
          onChange={(operationId) => setFilters({ operationId })}
        />
      )}
      {sellers.length > 1 && (
        <FilterSelect
          label="Vendeur"
          all="Tous les vendeurs"
          options={toOptions(sellers)}
          value={filters.sellerId}
          onChange={(sellerId) => setFilters({ sellerId })}
        />
      )}
      <FilterSelect
        label="Mois fourni"
        all="Tous les mois"
        options={months.map((day) => ({ value: day, label: formatMonth(day) }))}
        value={filters.month}
        onChange={(day) => setFilters({ month: day })}
      />
      <FilterSelect
        label="Type de document"
        all="Tous les types"
        options={KIND_OPTIONS}
        value={filters.kind}
        onChange={(kind) => setFilters({ kind })}
      />
      <FilterChips
        label="État"
        options={toChoices(INVOICE_STATE_LABELS)}
        value={filters.state}
        onChange={(state) => setFilters({ state })}
      />
    </>
  )
}
