import { dayStart } from '@voisol/energy/calendar'
import { type BestHours, findBestHours } from '@voisol/energy/forecast/best-hours'
import { type IssuedRow, toStep, unpackLevels } from './issued.ts'

const UNKNOWN_CHANCE = 255

/** Whether enough past errors are known to give a certainty. */
export const hasKnownChance = ({ chance }: Pick<IssuedRow, 'chance'>): boolean =>
  chance?.some((part) => part !== UNKNOWN_CHANCE) ?? false

/** The hours of a day with a sufficiently certain surplus; null when there are none. */
export function computeBestHours(row: IssuedRow, day: string): BestHours | null {
  const { levels, steps, chance, issuedOn, step } = row
  if (!chance) return null
  const parts = Array.from(chance, (part) => (part === UNKNOWN_CHANCE ? null : part / 100))
  const source = Array.from({ length: steps }, () => 'history' as const)
  return findBestHours(
    { startsAt: dayStart(issuedOn), step: toStep(step), levels, values: unpackLevels(row), source, chance: parts },
    day,
  )
}
