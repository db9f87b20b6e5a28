import type { Model, Options } from '@voisol/energy/forecast'
import { and, eq } from 'drizzle-orm'
import { record } from '../../../core/events.ts'
import { type Db, forCompany, transaction } from '../../../db/client.ts'
import { forecastModels } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { type Curves, inputOf, peakOf, readCurvesOf, type Subject, type When } from './inputs.ts'
import { issuedDays, keepIssues, keepModel, VERSION } from './issued.ts'
import { type Scene, sceneOf, takingPart } from './subjects.ts'

export type Wanted = {
  companyId: number
  operationId: string
  /** Days of issue, rising; those of its plants may be fewer. */
  whens: When[]
  plantWhens?: When[]
  /** What is learnt less of; then what was learnt is not kept. */
  fit?: Options
  signal?: AbortSignal | undefined
}

type Asked = Subject & { whens: When[] }

/** The operation itself, and each of its plants. */
function subjectsOf(scene: Scene, { whens, plantWhens = whens }: Wanted): Asked[] {
  const plants = takingPart(scene, whens.at(-1)?.day ?? '', true)
  const each = plants.map((plant) => ({ id: plant.id, plants: [plant], whens: plantWhens }))
  return [{ id: scene.operationId, plants, whens }, ...each]
}

/** What was learnt on that day; one of another recipe is forgotten. */
async function modelOf(db: Db, companyId: number, subjectId: string, day: string): Promise<Model | null> {
  const [row] = await db
    .select()
    .from(forecastModels)
    .where(and(eq(forecastModels.companyId, companyId), eq(forecastModels.subjectId, subjectId)))
  return row && row.version === VERSION && row.fittedOn === day ? (row.model as Model) : null // written by keepModel alone
}

/** Answers with what was learnt, for an only plant to speak by as well. */
async function issueSubject(deps: Deps, scene: Scene, asked: Asked, curves: Curves, wanted: Wanted, known?: Model) {
  const { companyId, operationId } = scene
  const { id: subjectId, plants, whens } = asked
  const { fit, signal } = wanted
  const fitOn = whens[0]?.day ?? ''
  const model = known ?? (await modelOf(deps.db, companyId, subjectId, fitOn))
  const input = await inputOf(deps.db, scene, asked, curves, whens, { model, fitOn, fit })
  if (!input) return undefined
  const made = await deps.compute('forecasts.issue', input, { companyId, signal, patient: true })
  const whole = subjectId === operationId
  const silent = whole ? [...curves.hours.silent, ...curves.load.silent] : []
  const rebuilt = new Set(whens.filter((when) => when.rebuilt).map(({ day }) => day))
  const today = whens.find((when) => !when.rebuilt)?.day
  await transaction(forCompany(deps.db, companyId), async (tx) => {
    if (!model && !fit) await keepModel(tx, { companyId, operationId, subjectId, fittedOn: fitOn, model: made.model })
    const about = { companyId, operationId, subjectId, peakWatts: peakOf(plants, curves), silent, rebuilt }
    await keepIssues(tx, about, made.issues)
    if (whole && today)
      await record(tx, {
        companyId,
        name: 'forecast.issued',
        object: operationId,
        data: { operationId, day: today },
        by: { job: 'forecasts.issue', secrets: deps.secrets },
        once: `${operationId} ${today}`,
      })
  })
  return made.model
}

/**
 * Forecasts of an operation and its plants for these days, each with what was known before it. Each subject is kept as soon as
 * it is made: cut short and called again, it goes on with those that are missing.
 */
export async function issueFor(deps: Deps, wanted: Wanted): Promise<void> {
  const { companyId, operationId, whens, signal } = wanted
  const scene = whens.length ? await sceneOf(deps.db, companyId, operationId) : undefined
  if (!scene) return
  const days = whens.map(({ day }) => day)
  let curves: Curves | undefined
  let model: Model | undefined
  for (const asked of subjectsOf(scene, wanted)) {
    signal?.throwIfAborted()
    const [earliest] = asked.whens
    if (!earliest) continue
    const done = await issuedDays(deps.db, companyId, asked.id, earliest.day)
    const left = asked.whens.filter(({ day }) => !done.has(day))
    if (!left.length) continue
    curves ??= await readCurvesOf(deps.db, scene, days)
    // An only plant is its operation: what was learnt of one holds for the other.
    const only = asked.id !== operationId && curves.hours.own.size === 1
    const learnt = await issueSubject(deps, scene, { ...asked, whens: left }, curves, wanted, only ? model : undefined)
    if (asked.id === operationId) model = learnt
  }
}
