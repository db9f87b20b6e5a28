import { addDays, dayStart } from '@voisol/energy/calendar'
import type { Step } from '@voisol/energy/series'
import { loadPointNames } from '../../../core/point-label.ts'
import type { Period } from '../../../core/spans.ts'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { splitIntoMonths } from './compute.ts'
import { type EnergyValues, loadEnergyValues } from './energies.ts'
import { findAllocationRun, type RunRow } from './runs.ts'
import { loadRunDayRows, loadRunPointSides, type StoredRunDay } from './stored-days.ts'

/** Loads a run with results. */
export async function requireDoneRun(db: Db, actor: Actor, id: string): Promise<RunRow> {
  const run = await findAllocationRun(db, actor.companyId, id)
  if (!run || actor.operationIds?.includes(run.operationId) === false) throw new AppError('not-found')
  if (run.status !== 'done')
    throw new AppError('conflict', { message: 'Ce calcul n’est pas terminé : il n’a pas encore de résultat.' })
  return run
}

/** The step of the run, derived from the number of values of a day. */
export function getStoredStep({ day, allocated }: StoredRunDay): Step {
  const minutes = dayStart(addDays(day, 1)) - dayStart(day)
  return (minutes / allocated.length) as Step // a day was stored at one of the steps
}

/** Consumption or injection of each point as known when the run was computed, with data quality. */
export async function loadKnownValues(db: Db, run: RunRow, period: Period, stored: StoredRunDay[]) {
  const [first] = stored
  if (!first) return new Map<string, EnergyValues>()
  const sides = run.estimateBy === 'profile' ? await loadRunPointSides(db, run) : stored
  const side = (direction: StoredRunDay['direction']) => [
    ...new Set(sides.filter((row) => row.direction === direction).map(({ pointId }) => pointId)),
  ]
  const { companyId, estimated, estimateBy } = run
  return loadEnergyValues(db, {
    ...period,
    companyId,
    consumers: side('consumption'),
    producers: side('production'),
    batteries: [...new Set(sides.filter(({ storage }) => storage).map(({ pointId }) => pointId))],
    step: getStoredStep(first),
    estimated,
    estimateBy,
    knownAt: run.startedAt ?? undefined,
  })
}

export const loadKnownEnergies = async (db: Db, run: RunRow, period: Period, stored: StoredRunDay[]) =>
  new Map([...(await loadKnownValues(db, run, period, stored))].map(([id, { values }]) => [id, values]))

/** The month of a run that includes the day: estimates depend on the whole month's data. */
export const getMonthOfRun = (run: RunRow, day: string): Period =>
  splitIntoMonths({ from: run.startsOn, to: run.endsOn }).find(({ to }) => day < to) ?? {
    from: day,
    to: addDays(day, 1),
  }

export async function loadRunSteps(db: Db, actor: Actor, id: string, day: string) {
  const run = await requireDoneRun(db, actor, id)
  if (day < run.startsOn || day >= run.endsOn) throw new AppError('not-found')
  const next = addDays(day, 1)
  const stored = await loadRunDayRows(db, run, day, next)
  const [first] = stored
  const step = first ? getStoredStep(first) : 15
  // An estimate depends on surrounding data, so it is made over the same days as in the run.
  const period = run.estimated ? getMonthOfRun(run, day) : { from: day, to: next }
  const energies = await loadKnownEnergies(db, run, period, stored)
  const pointNames = await loadPointNames(db, run.companyId, day, stored)
  const offset = (dayStart(day) - dayStart(period.from)) / step
  return {
    day,
    startsAt: new Date(dayStart(day) * 60_000).toISOString(),
    step,
    points: stored.map(({ pointId, prm, direction, storage, allocated }) => {
      const totals = energies.get(pointId)
      return {
        pointId,
        label: pointNames.get(pointId) || prm,
        direction,
        ...(storage && { storage }),
        total: Array.from(allocated, (own, at) => (own < 0 ? null : toNullable(totals?.[offset + at]))),
        local: Array.from(allocated, toNullable),
      }
    }),
  }
}

const toNullable = (value: number | undefined) => (value === undefined || value < 0 ? null : value)
