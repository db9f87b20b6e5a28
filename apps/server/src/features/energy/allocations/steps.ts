import { addDays, dayStart } from '@voisol/energy/calendar'
import type { Step } from '@voisol/energy/series'
import { seatsOf } from '../../../core/point-label.ts'
import type { Period } from '../../../core/spans.ts'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { monthsOf } from './compute.ts'
import { readValues, type Values } from './energies.ts'
import { findRun, type RunRow } from './runs.ts'
import { readDays, readSides, type StoredDay } from './stored-days.ts'

/** A run that has given its figures. */
export async function doneRun(db: Db, actor: Actor, id: string): Promise<RunRow> {
  const run = await findRun(db, actor.companyId, id)
  if (!run || actor.operationIds?.includes(run.operationId) === false) throw new AppError('not-found')
  if (run.status !== 'done')
    throw new AppError('conflict', { message: 'Ce calcul n’est pas terminé : il n’a pas encore de résultat.' })
  return run
}

/** The step at which the run was computed, told by the length of one of its days. */
export function stepOf({ day, allocated }: StoredDay): Step {
  const minutes = dayStart(addDays(day, 1)) - dayStart(day)
  return (minutes / allocated.length) as Step // a day was stored at one of the steps
}

/** What each point drew or injected, as it was known when the run was computed, and what it rests on. */
export async function knownValues(db: Db, run: RunRow, period: Period, stored: StoredDay[]) {
  const [first] = stored
  if (!first) return new Map<string, Values>()
  const sides = run.estimateBy === 'profile' ? await readSides(db, run) : stored
  const side = (direction: StoredDay['direction']) => [
    ...new Set(sides.filter((row) => row.direction === direction).map(({ pointId }) => pointId)),
  ]
  const { companyId, estimated, estimateBy } = run
  return readValues(db, {
    ...period,
    companyId,
    consumers: side('consumption'),
    producers: side('production'),
    batteries: [...new Set(sides.filter(({ storage }) => storage).map(({ pointId }) => pointId))],
    step: stepOf(first),
    estimated,
    estimateBy,
    knownAt: run.startedAt ?? undefined,
  })
}

export const knownEnergies = async (db: Db, run: RunRow, period: Period, stored: StoredDay[]) =>
  new Map([...(await knownValues(db, run, period, stored))].map(([id, { values }]) => [id, values]))

/** The part of its month over which a run made its estimates: they depend on what surrounds them. */
export const monthWithin = (run: RunRow, day: string): Period =>
  monthsOf({ from: run.startsOn, to: run.endsOn }).find(({ to }) => day < to) ?? { from: day, to: addDays(day, 1) }

export async function runSteps(db: Db, actor: Actor, id: string, day: string) {
  const run = await doneRun(db, actor, id)
  if (day < run.startsOn || day >= run.endsOn) throw new AppError('not-found')
  const next = addDays(day, 1)
  const stored = await readDays(db, run, day, next)
  const [first] = stored
  const step = first ? stepOf(first) : 15
  // An estimate depends on what surrounds it: it is made over the same days as by the run.
  const period = run.estimated ? monthWithin(run, day) : { from: day, to: next }
  const energies = await knownEnergies(db, run, period, stored)
  const seats = await seatsOf(db, run.companyId, day, stored)
  const offset = (dayStart(day) - dayStart(period.from)) / step
  return {
    day,
    startsAt: new Date(dayStart(day) * 60_000).toISOString(),
    step,
    points: stored.map(({ pointId, prm, direction, storage, allocated }) => {
      const totals = energies.get(pointId)
      return {
        pointId,
        label: seats.get(pointId) || prm,
        direction,
        ...(storage && { storage }),
        total: Array.from(allocated, (own, at) => (own < 0 ? null : known(totals?.[offset + at]))),
        local: Array.from(allocated, known),
      }
    }),
  }
}

const known = (value: number | undefined) => (value === undefined || value < 0 ? null : value)
