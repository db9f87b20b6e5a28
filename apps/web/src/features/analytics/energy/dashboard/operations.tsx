import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { energy as energyApi } from '@voisol/contract/energy'
import type { OperationEnergyItem } from '@voisol/contract/energy-figures'
import { OperationStatus } from '@voisol/contract/operations'
import type { z } from 'zod'
import { Badge } from '../../../../components/badge.tsx'
import { ButtonLink } from '../../../../components/button.tsx'
import { CompletenessBar } from '../../../../components/energy-cells.tsx'
import { formatProduction, ProducedCell } from '../../../../components/energy-figures/energy-figures.tsx'
import { ErrorState } from '../../../../components/error-state.tsx'
import { Link } from '../../../../components/link.tsx'
import { Skeleton } from '../../../../components/loading.tsx'
import type { DayRange } from '../../../../components/period/period.ts'
import { type Column, Table } from '../../../../components/table.tsx'
import { Sparkline } from '../../../../components/tile.tsx'
import { OPERATION_STATUS_LABELS } from '../../../../lib/energy-labels.ts'
import { formatCount, formatDate, formatPercent } from '../../../../lib/format.ts'
import { query } from '../../../../lib/queries.ts'

type OperationTableRow = z.infer<typeof OperationEnergyItem>

const formatRate = (value: number | null) => (value === null ? '–' : formatPercent(value, 0))

function Status({ status }: { status: string }) {
  const known = OperationStatus.safeParse(status)
  if (!known.success) return null
  const { label, tone } = OPERATION_STATUS_LABELS[known.data]
  return <Badge tone={tone}>{label}</Badge>
}

const COLUMNS: Column<OperationTableRow>[] = [
  {
    header: 'Opération',
    cell: ({ id, name, participants, status, stale }) => (
      <span className="block min-w-56 py-2">
        <Link to={`/acc-operations/${id}`} className="text-link font-medium">
          {name}
        </Link>
        <span className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-[0.8125rem] text-ink-soft">
          <Status status={status} />
          {stale && <Badge tone="warning">À recalculer</Badge>}
          {formatCount(participants, 'participant')}
        </span>
      </span>
    ),
  },
  { header: 'Production', align: 'end', cell: (row) => <ProducedCell row={row} /> },
  {
    header: 'Autoconsommé',
    align: 'end',
    cell: ({ sparkline, ...row }) => (
      <span className="inline-flex items-center justify-end gap-3">
        <Sparkline
          values={sparkline.slice(0, sparkline.findLastIndex((value) => value !== null) + 1)}
          color="var(--data-local)"
        />
        {formatProduction(row).shared}
      </span>
    ),
  },
  { header: 'Autoconsommation', align: 'end', cell: ({ selfConsumption }) => formatRate(selfConsumption) },
  { header: 'Autoproduction', align: 'end', cell: ({ selfProduction }) => formatRate(selfProduction) },
  {
    header: 'Complétude',
    cell: ({ completeness, receivedUntil }) => (
      <span className="block py-1.5">
        <CompletenessBar share={completeness} />
        {receivedUntil !== null && (
          // The midnight that closes a day belongs to that day.
          <span className="block text-[0.8125rem] whitespace-nowrap text-ink-soft">
            Relevés au {formatDate(Date.parse(receivedUntil) - 1)}
          </span>
        )}
      </span>
    ),
  },
]

/** Every operation over the period, with how much of its readings came. */
export function DashboardOperations({ days }: { days: DayRange }) {
  const { data, error, refetch } = useQuery({
    ...query(energyApi.operations, { query: days }),
    placeholderData: keepPreviousData,
  })
  return (
    <section aria-labelledby="operations" className="grid gap-3 [&>*]:min-w-0">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="operations" className="text-base font-semibold tracking-[-0.01em]">
          Opérations
        </h2>
        <ButtonLink to="/acc-operations" variant="secondary" size="small">
          Toutes les opérations
        </ButtonLink>
      </div>
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton className="h-48 w-full" />}
      {data && <Table label="Opérations sur la période" rows={data.items} columns={COLUMNS} />}
    </section>
  )
}
