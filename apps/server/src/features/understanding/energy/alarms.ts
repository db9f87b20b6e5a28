import type { ProducerRow } from '@voisol/contract/energy-rows'
import { addDays, daysBetween } from '@voisol/energy/calendar'
import type { z } from 'zod'
import { frenchDay } from '../../../french.ts'
import { today } from '../../../today.ts'
import type { Period } from './period.ts'
import { earlier, later } from './pieces.ts'
import { compare, type Expectation, type Plant, type PlantDay } from './plants.ts'

type Alarm = z.infer<typeof ProducerRow>['alarms'][number]

const SILENT_DAYS = 3
const LATELY = 7
const WEAK = 0.6
/** A lone plant has no neighbour to tell clouds from faults: a dull week is not a fault. */
const WEAK_ALONE = 0.35
const MOST = 5

/** What is wrong with a plant at the end of the period, and what went wrong within it. */
export function alarmsOf(plant: Plant, period: Period, expectation: Expectation): Alarm[] {
  const days = plant.days.filter(({ day }) => day >= period.from)
  return [...silence(plant, period), ...idle(days, period), ...weakness(days, expectation)].slice(0, MOST)
}

function silence({ member, lastKnown }: Plant, period: Period): Alarm[] {
  const end = earlier(earlier(period.to, today()), member.endsOn ?? period.to)
  const since = lastKnown ? addDays(lastKnown, 1) : later(member.startsOn, period.from)
  if (since >= end || daysBetween(since, end) <= SILENT_DAYS) return []
  const severity = lastKnown ? 'warning' : 'critical'
  return [{ severity, since, message: `Aucune donnée reçue depuis le ${frenchDay(since)}.` }]
}

/** Stretches of days with readings, daylight and no production at all. */
function idle(days: PlantDay[], period: Period): Alarm[] {
  const stretches: PlantDay[][] = []
  let open: PlantDay[] = []
  for (const day of days) {
    if (day.whole && day.clear > 0 && day.energy === 0) {
      if (!open.length) stretches.push(open)
      open.push(day)
    } else open = []
  }
  const lastDay = days.at(-1)?.day
  return stretches.reverse().flatMap((stretch): Alarm[] => {
    const [first, last] = [stretch[0]?.day, stretch.at(-1)?.day]
    if (!first || !last) return []
    if (last === lastDay && last >= addDays(earlier(period.to, today()), -1 - SILENT_DAYS))
      return [
        {
          severity: 'critical',
          since: first,
          message: `Aucune production depuis le ${frenchDay(first)}, alors que les données arrivent.`,
        },
      ]
    const when = first === last ? `le ${frenchDay(first)}` : `du ${frenchDay(first)} au ${frenchDay(last)}`
    return [{ severity: 'warning', since: first, message: `Aucune production ${when}.` }]
  })
}

function weakness(days: PlantDay[], expectation: Expectation): Alarm[] {
  const lately = days.filter(({ whole }) => whole).slice(-LATELY)
  const [first] = lately
  const sums = compare(lately, expectation)
  // A plant that gives nothing at all is told of as such.
  if (!first || !sums || lately.length < LATELY || sums.produced === 0) return []
  const performance = sums.produced / sums.expected
  if (performance >= (expectation.alone ? WEAK_ALONE : WEAK)) return []
  const percent = Math.round(performance * 100)
  const against = expectation.alone
    ? 'de ce qu’elle donne d’habitude'
    : 'de ce que laissent attendre les autres centrales'
  const message = `Production faible depuis ${LATELY} jours\u00a0: ${percent}\u00a0% ${against}.`
  return [{ severity: 'warning', since: first.day, message }]
}
