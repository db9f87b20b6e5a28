import type { ForecastModel, ForecastOptions } from '@voisol/energy/forecast'
import { and, eq } from 'drizzle-orm'
import { recordEvent } from '../../../core/events.ts'
import { type Db, scopeToCompany, transaction } from '../../../db/client.ts'
import { forecastModels } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import {
  buildIssueInput,
  computePeakWatts,
  type IssueMoment,
  type IssueSubject,
  loadOperationCurves,
  type OperationCurves,
} from './inputs.ts'
import { listIssuedDays, RECIPE_VERSION, storeIssues, storeModel } from './issued.ts'
import { listParticipatingPoints, loadOperationPoints, type OperationPoints } from './subjects.ts'

export type IssueForecastsInput = {
  companyId: number
  operationId: string
  /** Issue days in ascending order; plants may have fewer. */
  whens: IssueMoment[]
  plantWhens?: IssueMoment[]
  /** Reduces the data to fit; the fitted model is then not stored. */
  fit?: ForecastOptions
  signal?: AbortSignal | undefined
}

type SubjectToIssue = IssueSubject & { whens: IssueMoment[] }

/** The operation itself, and each of its plants. */
function listSubjectsToIssue(
  scene: OperationPoints,
  { whens, plantWhens = whens }: IssueForecastsInput,
): SubjectToIssue[] {
  const plants = listParticipatingPoints(scene, whens.at(-1)?.day ?? '', true)
  const plantSubjects = plants.map((plant) => ({ id: plant.id, plants: [plant], whens: plantWhens }))
  return [{ id: scene.operationId, plants, whens }, ...plantSubjects]
}

/** The model fitted on that day; one of another version is ignored. */
async function loadModel(db: Db, companyId: number, subjectId: string, day: string): Promise<ForecastModel | null> {
  const [row] = await db
    .select()
    .from(forecastModels)
    .where(and(eq(forecastModels.companyId, companyId), eq(forecastModels.subjectId, subjectId)))
  return row && row.version === RECIPE_VERSION && row.fittedOn === day ? (row.model as ForecastModel) : null // written by storeModel
}

/** Returns the fitted model, which a single plant can reuse. */
async function issueSubjectForecasts(
  deps: Deps,
  scene: OperationPoints,
  subject: SubjectToIssue,
  curves: OperationCurves,
  issueInput: IssueForecastsInput,
  known?: ForecastModel,
) {
  const { companyId, operationId } = scene
  const { id: subjectId, plants, whens } = subject
  const { fit, signal } = issueInput
  const fitOn = whens[0]?.day ?? ''
  const model = known ?? (await loadModel(deps.db, companyId, subjectId, fitOn))
  const input = await buildIssueInput(deps.db, scene, subject, curves, whens, { model, fitOn, fit })
  if (!input) return undefined
  const issueOutput = await deps.compute('forecasts.issue', input, { companyId, signal, patient: true })
  const whole = subjectId === operationId
  const silentPointIds = whole ? [...curves.hours.silent, ...curves.load.silent] : []
  const rebuilt = new Set(whens.filter((when) => when.rebuilt).map(({ day }) => day))
  const today = whens.find((when) => !when.rebuilt)?.day
  await transaction(scopeToCompany(deps.db, companyId), async (tx) => {
    if (!model && !fit)
      await storeModel(tx, { companyId, operationId, subjectId, fittedOn: fitOn, model: issueOutput.model })
    const about = {
      companyId,
      operationId,
      subjectId,
      peakWatts: computePeakWatts(plants, curves),
      silent: silentPointIds,
      rebuilt,
    }
    await storeIssues(tx, about, issueOutput.issues)
    if (whole && today)
      await recordEvent(tx, {
        companyId,
        name: 'forecast.issued',
        object: operationId,
        data: { operationId, day: today },
        by: { job: 'forecasts.issue', secrets: deps.secrets },
        once: `${operationId} ${today}`,
      })
  })
  return issueOutput.model
}

/**
 * Forecasts of an operation and its plants for these days, each with the data known before it. Each subject is stored
 * when done, so an interrupted call continues with the missing ones.
 */
export async function issueForecasts(deps: Deps, issueInput: IssueForecastsInput): Promise<void> {
  const { companyId, operationId, whens, signal } = issueInput
  const operationPoints = whens.length ? await loadOperationPoints(deps.db, companyId, operationId) : undefined
  if (!operationPoints) return
  const days = whens.map(({ day }) => day)
  let curves: OperationCurves | undefined
  let model: ForecastModel | undefined
  for (const subject of listSubjectsToIssue(operationPoints, issueInput)) {
    signal?.throwIfAborted()
    const [earliest] = subject.whens
    if (!earliest) continue
    const done = await listIssuedDays(deps.db, companyId, subject.id, earliest.day)
    const remainingMoments = subject.whens.filter(({ day }) => !done.has(day))
    if (!remainingMoments.length) continue
    curves ??= await loadOperationCurves(deps.db, operationPoints, days)
    // A single plant equals its operation, so it reuses the model.
    const only = subject.id !== operationId && curves.hours.own.size === 1
    const learntModel = await issueSubjectForecasts(
      deps,
      operationPoints,
      { ...subject, whens: remainingMoments },
      curves,
      issueInput,
      only ? model : undefined,
    )
    if (subject.id === operationId) model = learntModel
  }
}
