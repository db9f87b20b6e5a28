import { useQuery } from '@tanstack/react-query'
import { energy as api } from '@voisol/contract/energy'
import { operations } from '@voisol/contract/operations'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { DIRECTION_LABELS, formatPrm, toChoices } from '../../../lib/energy-labels.ts'
import { query, useList } from '../../../lib/queries.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ExportMenu, toTableFormat } from '../../../ui/export-menu.tsx'
import { FilterChips } from '../../../ui/filter-chips.tsx'
import { Link } from '../../../ui/link.tsx'
import { ListScreen } from '../../../ui/list-screen.tsx'
import type { Period } from '../../../ui/period/period.ts'
import { PeriodBar } from '../../../ui/period/period-bar.tsx'
import { usePeriod } from '../../../ui/period/use-period.ts'
import { Select } from '../../../ui/select.tsx'
import { MeterSideLabel } from '../../../ui/side-mark.tsx'
import type { Column } from '../../../ui/table.tsx'
import { buildEnergyColumns, type MemberEnergyRow } from '../result/points.tsx'
import { getDefaultDay } from '../starting-period.ts'
import { MemberComparison } from './comparison.tsx'

/** A point may be held by two people in turn: a row is a holder and a point in an operation. */
type MemberListRow = MemberEnergyRow & { pointId: string }
const getRowKey = (row: MemberEnergyRow) => `${row.operationId} ${row.participantId} ${row.id}`

/** The same list with one member open: the period and the filters stay for the way back. */
function useMemberLink({ unit, from, to }: Period) {
  const [search] = useSearchParams()
  return ({ pointId, operationId }: MemberListRow) =>
    `?${new URLSearchParams({ ...Object.fromEntries(search), unit, from, to, membre: pointId, dans: operationId })}`
}

const buildColumns = (link: (row: MemberListRow) => string, period: Period): Column<MemberListRow>[] => [
  {
    header: 'Membre',
    card: 'title',
    sort: 'name',
    cell: (row) => (
      <span className="block min-w-36 py-1">
        <Link to={link(row)} className="font-medium text-link">
          {row.name}
        </Link>
        <span className="tabular block text-[0.8125rem] whitespace-nowrap text-ink-soft">{formatPrm(row.prm)}</span>
      </span>
    ),
  },
  {
    header: 'Opération',
    card: 'secondary',
    sort: 'operationName',
    cell: ({ operationName, direction, storage }) => (
      <span className="block min-w-36">
        {operationName}
        <span className="block text-[0.8125rem] text-ink-soft">
          <MeterSideLabel direction={direction} storage={storage} />
        </span>
      </span>
    ),
  },
  ...buildEnergyColumns(period),
]

function OperationFilter({ value, onChange }: { value: string | undefined; onChange: (id: string) => void }) {
  const { data } = useQuery(query(operations.list, { query: { size: 100 } }))
  return (
    <Select
      aria-label="Opération"
      className="sm:w-56"
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value)}
    >
      <option value="">Toutes les opérations</option>
      {data?.items.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  )
}

export function MemberList() {
  const [period, setPeriod] = usePeriod('month', getDefaultDay())
  const { from, to } = period
  const list = useList(api.members, { from, to })
  const link = useMemberLink(period)
  // Kept whole, so that members of several pages can be held side by side.
  const [compared, setCompared] = useState<MemberEnergyRow[]>([])
  const rows = list.items.map((row): MemberListRow => ({ ...row, pointId: row.id, id: getRowKey(row) }))
  const choose = (ids: ReadonlySet<string>) => {
    const stillCompared = compared.filter((row) => ids.has(getRowKey(row)))
    const added = list.items.filter(
      (row) => ids.has(getRowKey(row)) && !stillCompared.some((one) => getRowKey(one) === getRowKey(row)),
    )
    setCompared([...stillCompared, ...added])
  }
  return (
    <div className="grid gap-5 [&>*]:min-w-0">
      <PeriodBar
        period={period}
        onChange={(next) => {
          setPeriod(next)
          setCompared([])
        }}
      />
      <ListScreen
        list={{ ...list, items: rows }}
        label="Répartition par membre"
        search="Rechercher un nom, un PRM, une opération"
        columns={buildColumns(link, period)}
        selection={{
          ids: new Set(compared.map(getRowKey)),
          onChange: choose,
          label: ({ name }) => name,
          actions: <span className="text-body">Comparaison sous le tableau</span>,
        }}
        filters={
          <>
            <OperationFilter
              value={list.filters.operationId}
              onChange={(operationId) => list.setFilters({ operationId })}
            />
            <FilterChips
              label="Sens"
              options={toChoices(DIRECTION_LABELS)}
              value={list.filters.direction}
              onChange={(direction) => list.setFilters({ direction })}
            />
          </>
        }
        exports={
          <ExportMenu
            endpoint={api.membersExport}
            input={(format) => ({ query: { ...list.filters, from, to, format: toTableFormat(format) } })}
          />
        }
        empty={
          <EmptyState
            title="Aucun membre sur cette période"
            why="Personne ne participe à une opération à ces dates."
            action={
              <ButtonLink variant="secondary" to="/acc-operations">
                Voir les opérations
              </ButtonLink>
            }
          />
        }
      />
      {compared.length > 1 && <MemberComparison rows={compared} period={period} />}
      {compared.length < 2 && list.total > 1 && (
        <p className="text-[0.8125rem] text-ink-soft">Cochez deux membres ou plus pour les comparer.</p>
      )}
    </div>
  )
}
