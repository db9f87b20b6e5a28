import type { Point } from '@voisol/contract/points'
import { addDays } from '@voisol/energy/calendar'
import { getTodayInParis } from '../../../../components/period/period.ts'
import { formatLongDay } from '../../../../components/period/period-labels.ts'

/** To somebody who moves in or out. */
export const ParticipationNotices = ({ all }: { all: Point[] }) =>
  listParticipationNotices(all, getTodayInParis()).map((words) => (
    <p key={words} className="rounded-card border border-line bg-card p-4 sm:px-6">
      {words}
    </p>
  ))

type ParticipationDates = Pick<Point, 'operationName' | 'startsOn' | 'endsOn'>

/** Coming, leaving or gone; of an operation that several meters are in, the first to come and the last to go. */
function describeParticipation(name: string, seats: ParticipationDates[], today: string): string | null {
  const starts = seats.map(({ startsOn }) => startsOn ?? today).toSorted()
  const ends = seats.map(({ endsOn }) => endsOn)
  const [start = today] = starts
  const end = ends.includes(null) ? null : (ends.toSorted().at(-1) ?? null)
  if (start > today) return `Vous entrez dans ${name} le ${formatLongDay(start)}.`
  if (end === null) return null
  const last = formatLongDay(addDays(end, -1))
  return end <= today
    ? `Vous avez quitté ${name}. Votre dernier jour était le ${last}. Vos chiffres et vos factures restent ici.`
    : `Vous quittez ${name}. Votre dernier jour est le ${last}.`
}

/** What somebody who moves in or out must know; nothing to those who stay. */
export function listParticipationNotices(points: ParticipationDates[], today: string): string[] {
  const withOperation = points.filter(({ operationName }) => operationName)
  return [...Map.groupBy(withOperation, ({ operationName }) => operationName)].flatMap(([name, seats]) => {
    const notice = describeParticipation(name, seats, today)
    return notice ? [notice] : []
  })
}

/** Nothing of theirs takes part any more. */
export const hasLeft = (points: Pick<Point, 'endsOn'>[], today: string) =>
  points.length > 0 && points.every(({ endsOn }) => endsOn !== null && endsOn <= today)
