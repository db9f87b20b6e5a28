import { dayStart } from '@voisol/energy/calendar'
import { type BestHours, bestHours } from '@voisol/energy/forecast/best-hours'
import { type IssuedRow, levelsOf, stepOf } from './issued.ts'

const UNKNOWN = 255

/** Whether past errors were enough to say how sure anything is. */
export const isMeasured = ({ chance }: Pick<IssuedRow, 'chance'>): boolean =>
  chance?.some((part) => part !== UNKNOWN) ?? false

/** The hours of a day in which something is left, sure enough, as a forecast of the surplus said it; null: none. */
export function hoursOf(row: IssuedRow, day: string): BestHours | null {
  const { levels, steps, chance, issuedOn, step } = row
  if (!chance) return null
  const parts = Array.from(chance, (part) => (part === UNKNOWN ? null : part / 100))
  const source = Array.from({ length: steps }, () => 'history' as const)
  return bestHours(
    { startsAt: dayStart(issuedOn), step: stepOf(step), levels, values: levelsOf(row), source, chance: parts },
    day,
  )
}
