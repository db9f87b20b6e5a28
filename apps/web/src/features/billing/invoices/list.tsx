import { useQuery } from '@tanstack/react-query'
import { invoices } from '@voisol/contract/invoices'
import { INVOICE_KIND_LABELS } from '@voisol/contract/money'
import { ButtonLink } from '../../../components/button.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { FilterChips } from '../../../components/filter-bar.tsx'
import { Select } from '../../../components/input.tsx'
import { ListScreen } from '../../../components/list-screen.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { toChoices } from '../../../lib/energy-labels.ts'
import { formatMonth } from '../../../lib/format.ts'
import { query, useList } from '../../../lib/queries.ts'
import { DownloadButton } from './download-button.tsx'
import { AgeingTiles, invoiceColumns } from './invoice-columns.tsx'
import { INVOICE_STATE_LABELS } from './labels.ts'

const emptyState = (
  <EmptyState
    title="Aucune facture"
    why="Les factures naissent de la clôture d’un mois&nbsp;: les quantités sont figées, puis chaque document reçoit son numéro."
    action={<ButtonLink to="/billing">Ouvrir la clôture du mois</ButtonLink>}
  />
)

export default function InvoiceList() {
  const list = useList(invoices.list)
  const { page: _page, size: _size, sort: _sort, ...archiveQuery } = list.filters
  return (
    <>
      <PageHeader
        title="Factures"
        description="Tout ce qui a été émis, ce qui reste dû, et depuis quand."
        actions={
          <ButtonLink to="/participant-billing" variant="secondary">
            Comptes des acheteurs
          </ButtonLink>
        }
      />
      <div className="grid gap-4 [&>*]:min-w-0">
        {list.data && list.data.totals.documents > 0 && <AgeingTiles totals={list.data.totals} />}
        <ListScreen
          list={list}
          label="Factures"
          search="Rechercher un numéro ou un nom"
          columns={invoiceColumns}
          filters={<InvoiceFilters filters={list.filters} setFilters={list.setFilters} />}
          exports={
            list.total > 0 && (
              <DownloadButton endpoint={invoices.archive} input={{ query: archiveQuery }}>
                Télécharger les PDF
              </DownloadButton>
            )
          }
          empty={emptyState}
        />
      </div>
    </>
  )
}

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
function InvoiceFilters({ filters, setFilters }: InvoiceFiltersProps) {
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
