import type { ProducerEnergyItem } from '@voisol/contract/energy-rows'
import { addDays, daysBetween } from '@voisol/energy/calendar'
import type { z } from 'zod'
import { formatFrenchDay } from '../../../french.ts'
import { getToday } from '../../../today.ts'
import type { Period } from './period.ts'
import { maxDay, minDay } from './pieces.ts'
import { compareWithExpectation, type Plant, type PlantDay, type PlantExpectation } from './plants.ts'

type PlantAlarm = z.infer<typeof ProducerEnergyItem>['alarms'][number]

const MAX_SILENT_DAYS = 3
const RECENT_DAYS = 7
const WEAK_PERFORMANCE = 0.6
/** A single plant has no other to tell clouds from faults, so the threshold is lower. */
const WEAK_PERFORMANCE_ALONE = 0.35
const MAX_ALARMS_PER_PLANT = 5

/** Alarms of a plant at the end of the period, and within it. */
export function findPlantAlarms(plant: Plant, period: Period, expectation: PlantExpectation): PlantAlarm[] {
  const days = plant.days.filter(({ day }) => day >= period.from)
  return [
    ...findMissingDataAlarm(plant, period),
    ...findNoProductionAlarms(days, period),
    ...findWeakProductionAlarm(days, expectation),
  ].slice(0, MAX_ALARMS_PER_PLANT)
}

function findMissingDataAlarm({ member, lastKnown }: Plant, period: Period): PlantAlarm[] {
  const end = minDay(minDay(period.to, getToday()), member.endsOn ?? period.to)
  const since = lastKnown ? addDays(lastKnown, 1) : maxDay(member.startsOn, period.from)
  if (since >= end || daysBetween(since, end) <= MAX_SILENT_DAYS) return []
  const severity = lastKnown ? 'warning' : 'critical'
  return [{ severity, since, message: `Aucune donnée reçue depuis le ${formatFrenchDay(since)}.` }]
}

/** Periods of days with readings, daylight and no production. */
function findNoProductionAlarms(days: PlantDay[], period: Period): PlantAlarm[] {
  const stretches: PlantDay[][] = []
  let currentStretch: PlantDay[] = []
  for (const day of days) {
    if (day.whole && day.clear > 0 && day.energy === 0) {
      if (!currentStretch.length) stretches.push(currentStretch)
      currentStretch.push(day)
    } else currentStretch = []
  }
  const lastDay = days.at(-1)?.day
  return stretches.reverse().flatMap((stretch): PlantAlarm[] => {
    const [first, last] = [stretch[0]?.day, stretch.at(-1)?.day]
    if (!first || !last) return []
    if (last === lastDay && last >= addDays(minDay(period.to, getToday()), -1 - MAX_SILENT_DAYS))
      return [
        {
          severity: 'critical',
          since: first,
          message: `Aucune production depuis le ${formatFrenchDay(first)}, alors que les données arrivent.`,
        },
      ]
    const when =
      first === last ? `le ${formatFrenchDay(first)}` : `du ${formatFrenchDay(first)} au ${formatFrenchDay(last)}`
    return [{ severity: 'warning', since: first, message: `Aucune production ${when}.` }]
  })
}

function findWeakProductionAlarm(days: PlantDay[], expectation: PlantExpectation): PlantAlarm[] {
  const recentDays = days.filter(({ whole }) => whole).slice(-RECENT_DAYS)
  const [first] = recentDays
  const sums = compareWithExpectation(recentDays, expectation)
  // A plant without any production has its own alarm.
  if (!first || !sums || recentDays.length < RECENT_DAYS || sums.produced === 0) return []
  const performance = sums.produced / sums.expected
  if (performance >= (expectation.alone ? WEAK_PERFORMANCE_ALONE : WEAK_PERFORMANCE)) return []
  const percent = Math.round(performance * 100)
  const against = expectation.alone
    ? 'de ce qu’elle donne d’habitude'
    : 'de ce que laissent attendre les autres centrales'
  const message = `Production faible depuis ${RECENT_DAYS} jours\u00a0: ${percent}\u00a0% ${against}.`
  return [{ severity: 'warning', since: first.day, message }]
}
