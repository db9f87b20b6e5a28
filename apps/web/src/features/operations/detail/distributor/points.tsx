import type { PointStanding } from '@voisol/contract/sync'
import { addDays } from '@voisol/energy/calendar'
import { useState } from 'react'
import { meterLine } from '../../../../lib/energy-labels.ts'
import { dateTime, plural } from '../../../../lib/format.ts'
import { pointName } from '../../../../lib/point-name.ts'
import { ButtonLink } from '../../../../ui/button.tsx'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { FilterChips } from '../../../../ui/filter-chips.tsx'
import { todayInParis } from '../../../../ui/period/period.ts'
import { type Column, Table } from '../../../../ui/table.tsx'
import { Access, Calls, Dates, Received, SOON_DAYS } from './point-cells.tsx'
import { arrivalWords, datesDiffer, isLate } from './words.ts'

const columnsFor = (perimeterAt: string | null): Column<PointStanding & { id: string }>[] => [
  {
    header: 'Point',
    cell: (point) => (
      <span className="block min-w-44 py-1">
        <span className="font-medium">{pointName(point)}</span>
        <span className="tabular block text-[0.8125rem] whitespace-nowrap text-ink-soft">{meterLine(point)}</span>
      </span>
    ),
  },
  { header: 'Reçu jusqu’au', cell: (point) => <Received {...point} /> },
  { header: 'Appels', cell: (point) => <Calls {...point} /> },
  {
    header: 'Arrivée habituelle',
    cell: ({ arrivalMinutes, samples }) =>
      arrivalMinutes === null ? (
        <span className="whitespace-nowrap text-ink-soft">Pas encore connue</span>
      ) : (
        <span className="block whitespace-nowrap">
          {arrivalWords(arrivalMinutes)}
          <span className="block text-[0.8125rem] text-ink-soft">d’après {plural(samples, 'jour')}</span>
        </span>
      ),
  },
  { header: 'Accès jusqu’au', cell: (point) => <Access {...point} /> },
  { header: 'Dates de participation', cell: (point) => <Dates point={point} read={perimeterAt !== null} /> },
]

/** What is held up first, then the others as they came. */
const ordered = (points: PointStanding[]) =>
  points
    .map((point) => ({ ...point, id: point.pointId }))
    .sort((a, b) => Number(b.blockedAt !== null) - Number(a.blockedAt !== null))

const isEnding = ({ accessUntil }: PointStanding) =>
  accessUntil !== null && accessUntil < addDays(todayInParis(), SOON_DAYS)
const isOtherwise = (point: PointStanding) => point.theirs === null || datesDiffer(point)
const FILTERS = [
  { value: 'blocked', label: 'Bloqués', holds: ({ blockedAt }: PointStanding) => blockedAt !== null },
  { value: 'late', label: 'En retard', holds: (point: PointStanding) => isLate(point) },
  { value: 'ending', label: 'Accès à renouveler', holds: isEnding },
  { value: 'dates', label: 'Dates à rapprocher', holds: isOtherwise },
]

type PointsProps = { points: PointStanding[]; perimeterAt: string | null }

function PointTable({ points, perimeterAt }: PointsProps) {
  const [filter, setFilter] = useState<string>()
  const useful = FILTERS.filter(({ value }) => value !== 'dates' || perimeterAt).flatMap(({ holds, ...option }) => {
    const count = points.filter(holds).length
    return count > 0 ? [{ ...option, count }] : []
  })
  const holds = FILTERS.find(({ value }) => value === filter)?.holds ?? (() => true)
  return (
    <>
      {useful.length > 0 && <FilterChips label="Points montrés" options={useful} value={filter} onChange={setFilter} />}
      <Table
        label="Points chez le distributeur"
        rows={ordered(points.filter(holds))}
        columns={columnsFor(perimeterAt)}
      />
    </>
  )
}

export const Points = ({ points, perimeterAt }: PointsProps) => (
  <div className="grid gap-3 [&>*]:min-w-0">
    <header>
      <h2 className="text-base font-semibold tracking-[-0.01em]">Points</h2>
      <p className="text-body text-ink-soft">
        {perimeterAt
          ? `Périmètre de la convention lu chez Enedis le ${dateTime(perimeterAt)}.`
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
