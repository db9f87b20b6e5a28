import type { PointSyncStatus } from '@voisol/contract/sync'
import { addDays } from '@voisol/energy/calendar'
import { useState } from 'react'
import { formatMeterLine } from '../../../../lib/energy-labels.ts'
import { formatCount, formatDateTime } from '../../../../lib/format.ts'
import { formatPointName } from '../../../../lib/point-name.ts'
import { ButtonLink } from '../../../../ui/button.tsx'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { FilterChips } from '../../../../ui/filter-chips.tsx'
import { getTodayInParis } from '../../../../ui/period/period.ts'
import { type Column, Table } from '../../../../ui/table.tsx'
import {
  AccessUntilCell,
  CallStateCell,
  ParticipationDatesCell,
  RENEWAL_WARNING_DAYS,
  ReceivedUntilCell,
} from './point-cells.tsx'
import { formatArrivalTime, hasDateMismatch, isPointLate } from './words.ts'

const buildColumns = (perimeterAt: string | null): Column<PointSyncStatus & { id: string }>[] => [
  {
    header: 'Point',
    cell: (point) => (
      <span className="block min-w-44 py-1">
        <span className="font-medium">{formatPointName(point)}</span>
        <span className="tabular block text-[0.8125rem] whitespace-nowrap text-ink-soft">{formatMeterLine(point)}</span>
      </span>
    ),
  },
  { header: 'Reçu jusqu’au', cell: (point) => <ReceivedUntilCell {...point} /> },
  { header: 'Appels', cell: (point) => <CallStateCell {...point} /> },
  {
    header: 'Arrivée habituelle',
    cell: ({ arrivalMinutes, samples }) =>
      arrivalMinutes === null ? (
        <span className="whitespace-nowrap text-ink-soft">Pas encore connue</span>
      ) : (
        <span className="block whitespace-nowrap">
          {formatArrivalTime(arrivalMinutes)}
          <span className="block text-[0.8125rem] text-ink-soft">d’après {formatCount(samples, 'jour')}</span>
        </span>
      ),
  },
  { header: 'Accès jusqu’au', cell: (point) => <AccessUntilCell {...point} /> },
  {
    header: 'Dates de participation',
    cell: (point) => <ParticipationDatesCell point={point} read={perimeterAt !== null} />,
  },
]

/** What is held up first, then the others as they came. */
const sortBlockedFirst = (points: PointSyncStatus[]) =>
  points
    .map((point) => ({ ...point, id: point.pointId }))
    .sort((a, b) => Number(b.blockedAt !== null) - Number(a.blockedAt !== null))

const isAccessEnding = ({ accessUntil }: PointSyncStatus) =>
  accessUntil !== null && accessUntil < addDays(getTodayInParis(), RENEWAL_WARNING_DAYS)
const hasOtherDates = (point: PointSyncStatus) => point.theirs === null || hasDateMismatch(point)
const POINT_FILTERS = [
  { value: 'blocked', label: 'Bloqués', holds: ({ blockedAt }: PointSyncStatus) => blockedAt !== null },
  { value: 'late', label: 'En retard', holds: (point: PointSyncStatus) => isPointLate(point) },
  { value: 'ending', label: 'Accès à renouveler', holds: isAccessEnding },
  { value: 'dates', label: 'Dates à rapprocher', holds: hasOtherDates },
]

type PointsProps = { points: PointSyncStatus[]; perimeterAt: string | null }

function PointTable({ points, perimeterAt }: PointsProps) {
  const [filter, setFilter] = useState<string>()
  const usefulFilters = POINT_FILTERS.filter(({ value }) => value !== 'dates' || perimeterAt).flatMap(
    ({ holds, ...option }) => {
      const count = points.filter(holds).length
      return count > 0 ? [{ ...option, count }] : []
    },
  )
  const holds = POINT_FILTERS.find(({ value }) => value === filter)?.holds ?? (() => true)
  return (
    <>
      {usefulFilters.length > 0 && (
        <FilterChips label="Points montrés" options={usefulFilters} value={filter} onChange={setFilter} />
      )}
      <Table
        label="Points chez le distributeur"
        rows={sortBlockedFirst(points.filter(holds))}
        columns={buildColumns(perimeterAt)}
      />
    </>
  )
}

export const DistributorPoints = ({ points, perimeterAt }: PointsProps) => (
  <div className="grid gap-3 [&>*]:min-w-0">
    <header>
      <h2 className="text-base font-semibold tracking-[-0.01em]">Points</h2>
      <p className="text-body text-ink-soft">
        {perimeterAt
          ? `Périmètre de la convention lu chez Enedis le ${formatDateTime(perimeterAt)}.`
          : 'Le périmètre de la convention n’a pas encore été lu chez Enedis\u00a0: demandez-le pour comparer les dates.'}
      </p>
    </header>
    {points.length > 0 ? (
      <PointTable points={points} perimeterAt={perimeterAt} />
    ) : (
      <EmptyState
        title="Aucun point"
        why="Ajoutez des participants à l’opération&nbsp;: leurs points seront suivis ici."
        action={
          <ButtonLink variant="secondary" to="/participants">
            Voir les participants
          </ButtonLink>
        }
      />
    )}
  </div>
)
