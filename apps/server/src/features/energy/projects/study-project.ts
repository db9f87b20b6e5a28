import { addDays, dayStart, listDays, localTime, stepsOfDay } from '@voisol/energy/calendar'
import { TYPICAL_STEPS } from '@voisol/energy/model/typical-year'
import { MISSING } from '@voisol/energy/series'
import type { Db } from '../../../db/client.ts'
import { projects } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'
import { loadAlignedCurves } from '../curves/index.ts'
import { getTypicalCalendar } from './compute-study.ts'
import { isThisProject, loadProject } from './project-queries.ts'
import { requireProjectPlace } from './study-curves.ts'
import {
  computeStudyInputsHash,
  listPointIds,
  type MeasuredWindow,
  type StoredStudy,
  type StudyInputs,
} from './study-inputs.ts'

function requireRoofsAndCandidates({ roofs, candidates }: StudyInputs) {
  if (!roofs.length) throw fieldError('roofs', 'Ajoutez au moins une toiture avant de lancer l’étude.')
  if (!candidates.length) throw fieldError('candidates', 'Ajoutez au moins un candidat avant de lancer l’étude.')
}

type StudyDeps = Pick<Deps, 'compute'> & { db: Db; signal?: AbortSignal }

/** Computes the figures of a typical year, and stores them with their inputs' hash. */
export async function studyProject({ db: tx, compute, signal }: StudyDeps, actor: Actor, id: string) {
  const project = await loadProject(tx, actor, id)
  const inputs: StudyInputs = { project, roofs: project.roofs, candidates: project.candidates }
  requireRoofsAndCandidates(inputs)
  const place = requireProjectPlace(inputs)
  const window = getLastYearWindow(getToday())
  const hash = await computeStudyInputsHash(tx, actor, inputs, window)
  const measured = await loadMeasuredLoads(tx, actor, listPointIds(inputs), window)
  const moved = [...measured.values()].map(({ buffer }) => buffer as ArrayBuffer) // never shared between threads
  const { companyId } = actor
  const result = await compute('projects.study', { inputs, place, measured }, { companyId, signal, moved })
  const study: StoredStudy = { inputs: hash, window, result }
  const updatedRows = await tx
    .update(projects)
    .set({ study, studiedAt: new Date() })
    .where(isThisProject(actor, id))
    .returning({ id: projects.id })
  if (!updatedRows.length) throw new AppError('not-found')
  return loadProject(tx, actor, id)
}

/** The minimum share of the year with readings to use them. */
const MIN_RECEIVED_SHARE = 0.8
const getWeekday = (day: string) => localTime(dayStart(day)).weekday

/** The measured day used for a day of the typical year: the same date, moved to the same weekday. */
function getEquivalentDay(day: string, { from, to }: MeasuredWindow): string {
  const date = day.slice(5)
  const year = `${from.slice(0, 4)}-${date}` >= from ? from.slice(0, 4) : to.slice(0, 4)
  const sameDate = `${year}-${date}`
  const ahead = (getWeekday(day) - getWeekday(sameDate) + 7) % 7
  const moved = addDays(sameDate, ahead > 3 ? ahead - 7 : ahead)
  if (moved < from) return addDays(moved, 7)
  return moved >= to ? addDays(moved, -7) : moved
}

/** The position of each hour of the typical year among the measured hours. */
function findMeasuredPositions(window: MeasuredWindow): Int32Array {
  const starts = new Map<string, number>()
  let at = 0
  for (const day of listDays(window.from, window.to)) {
    starts.set(day, at)
    at += stepsOfDay(day, 60)
  }
  const { days, hour } = getTypicalCalendar()
  const stands = new Map(days.map((day) => [day, getEquivalentDay(day, window)]))
  return Int32Array.from(days, (day, n) => (starts.get(stands.get(day) ?? '') ?? 0) + (hour[n] ?? 0))
}

/**
 * Watt-hours of each hour of the typical year, MISSING when not received; points with too few readings are left out.
 */
async function loadMeasuredLoads(db: Db, actor: Actor, pointIds: string[], window: MeasuredWindow) {
  const loads = new Map<string, Int32Array>()
  if (!pointIds.length) return loads
  const at = findMeasuredPositions(window)
  const curves = await loadAlignedCurves(db, actor.companyId, pointIds, window.from, window.to, 60)
  for (const [id, { values }] of curves) {
    const load = at.map((position) => {
      const value = values[position] ?? MISSING
      return value < 0 ? MISSING : Math.round(value / 60)
    })
    const received = load.reduce((sum, value) => sum + (value < 0 ? 0 : 1), 0)
    if (received >= MIN_RECEIVED_SHARE * TYPICAL_STEPS) loads.set(id, load)
  }
  return loads
}

/** The twelve months before a day. */
const getLastYearWindow = (day: string): MeasuredWindow => ({ from: addDays(day, -365), to: day })
