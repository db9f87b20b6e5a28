import type { EndpointReply } from '@voisol/contract/endpoint'
import type { keys } from '@voisol/contract/keys'
import { dayStart, listDays, stepsOfDay } from '@voisol/energy/calendar'
import { MISSING, type Step } from '@voisol/energy/series'
import { and, eq, gte, isNull, lt, sql } from 'drizzle-orm'
import type { KeyVersion } from '../../../core/allocation-keys.ts'
import { listOperationMembers, type OperationMember } from '../../../core/operation-members.ts'
import { RETURNING_ONE } from '../../../db/citus.ts'
import type { Db } from '../../../db/client.ts'
import { keyCoefficients } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import type { RouteContext } from '../../../http/route.ts'
import { copyForTransfer } from '../../../workers/task.ts'
import type { CoefficientRows } from './coefficient-file.ts'
import { lockKey, recordKeyEvent, requireKeyUnused, requireKeyValid, updateKeyRow } from './stored-keys.ts'

type ImportReport = EndpointReply<typeof keys.importCoefficients>
type CoefficientUpload = { name: string; dryRun: boolean; bytes: Uint8Array }
type ImportProblem = ImportReport['problems'][number]
type ImportTarget = { producer: OperationMember | null; problems: ImportProblem[] }

/** `<prm>.csv` is for that producer; any other name is for all producers together. */
function findTarget(version: KeyVersion, name: string, members: OperationMember[]): ImportTarget {
  const prm = /(?:^|[\\/])(\d{14})\.csv$/i.exec(name)?.[1]
  const producers = members.filter(({ direction }) => direction === 'production')
  const producer = producers.find((member) => member.prm === prm) ?? null
  const refuse = (message: string): ImportTarget => ({ producer: null, problems: [{ line: 1, message }] })
  if (prm && !producer) return refuse(`Le PRM ${prm} du nom du fichier n’est pas celui d’un producteur de l’opération.`)
  if (version.method === 'complete')
    return producer
      ? { producer, problems: [] }
      : refuse('La dynamique complète prend un fichier par producteur, nommé par son PRM : « 12345678901234.csv ».')
  // With one producer, its file and the common one are equivalent.
  const alone = new Set(producers.map(({ pointId }) => pointId)).size === 1
  if (producer && !alone)
    return refuse('La dynamique simple prend un seul fichier pour tous les producteurs : donnez-lui un autre nom.')
  return { producer: null, problems: [] }
}

function matchConsumers({ curves }: CoefficientRows, members: OperationMember[]) {
  const byPrm = new Map(members.filter((m) => m.direction === 'consumption').map((m) => [m.prm, m.pointId]))
  const known = [...curves].flatMap(([prm, values]) => {
    const pointId = byPrm.get(prm)
    return pointId ? [{ pointId, values }] : []
  })
  const problems: ImportProblem[] = [...curves.keys()]
    .filter((prm) => !byPrm.has(prm))
    .map((prm) => ({ line: 1, message: `Le PRM ${prm} n’est pas celui d’un consommateur de l’opération à ces dates.` }))
  return { known, problems }
}

export async function importCoefficients(
  ctx: Pick<RouteContext, 'db' | 'compute' | 'signal'>,
  actor: Actor,
  id: string,
  { name, dryRun, bytes }: CoefficientUpload,
) {
  const { db: tx, compute, signal } = ctx
  const lockedKey = await lockKey(tx, actor, id)
  const { version } = lockedKey
  if (version.method !== 'simple' && version.method !== 'complete')
    throw new AppError('conflict', {
      message: 'Seules la dynamique simple et la dynamique complète prennent des coefficients par pas de temps.',
    })
  await requireKeyUnused(tx, version)
  const taskInput = { bytes: copyForTransfer(bytes), step: lockedKey.step as Step } // only these are stored
  const options = { companyId: actor.companyId, signal, moved: [taskInput.bytes.buffer] }
  const fileResult = await compute('keys.coefficients', taskInput, options)
  const span = fileResult.rows ?? { from: version.startsOn, to: null }
  const members = await listOperationMembers(tx, actor.companyId, version.operationId, span)
  const target = findTarget(version, name, members)
  const consumers = fileResult.rows ? matchConsumers(fileResult.rows, members) : { known: [], problems: [] }
  const problems = [...target.problems, ...consumers.problems, ...fileResult.problems]
  const stored = !dryRun && problems.length === 0 && fileResult.rows !== null
  if (stored && fileResult.rows) {
    await storeCoefficients(tx, version, target.producer?.pointId ?? null, fileResult.rows, consumers.known)
    await updateKeyRow(tx, version)
    if (version.status === 'adopted') {
      await requireKeyValid(tx, version, lockedKey.all, lockedKey.step)
      await recordKeyEvent(tx, 'key.changed', version, fileResult.rows)
    }
  }
  const report: ImportReport = {
    producer: target.producer?.prm ?? null,
    consumers: consumers.known.length,
    from: fileResult.rows?.from ?? null,
    to: fileResult.rows?.to ?? null,
    steps: fileResult.rows?.lines ?? 0,
    problems,
    stored,
  }
  return { version, report }
}

type ConsumerCoefficients = { pointId: string; values: Int32Array }[]
type CoefficientRow = { pointId: string; day: string; values: Buffer }

/** The file replaces the stored coefficients of its days entirely. */
async function storeCoefficients(
  tx: Db,
  { companyId, id }: KeyVersion,
  producerId: string | null,
  file: CoefficientRows,
  known: ConsumerCoefficients,
) {
  const { from, to } = file
  await tx
    .delete(keyCoefficients)
    .where(
      and(
        eq(keyCoefficients.companyId, companyId),
        eq(keyCoefficients.keyId, id),
        producerId === null ? isNull(keyCoefficients.producerId) : eq(keyCoefficients.producerId, producerId),
        gte(keyCoefficients.day, from),
        lt(keyCoefficients.day, to),
      ),
    )
  // One consumer at a time, so that a year of hundreds of them is not split at once.
  for (const one of known) {
    const rows = toCoefficientRows(one, file)
    if (rows.length) await insertCoefficientRows(tx, companyId, id, producerId, rows)
  }
}

const toCoefficientRows = (
  { pointId, values }: ConsumerCoefficients[number],
  { from, to, step }: CoefficientRows,
): CoefficientRow[] =>
  listDays(from, to).flatMap((day): CoefficientRow[] => {
    const at = (dayStart(day) - dayStart(from)) / step
    const own = values.slice(at, at + stepsOfDay(day, step))
    return own.every((value) => value === MISSING) ? [] : [{ pointId, day, values: Buffer.from(own.buffer) }]
  })

const insertCoefficientRows = (
  tx: Db,
  companyId: number,
  keyId: string,
  producerId: string | null,
  rows: CoefficientRow[],
) =>
  tx.execute(sql`
    insert into key_coefficients (company_id, key_id, producer_id, point_id, day, values)
    select ${companyId}, ${keyId}, ${producerId}::uuid, * from unnest(
      ${sql.param(rows.map(({ pointId }) => pointId))}::uuid[], ${sql.param(rows.map(({ day }) => day))}::date[],
      ${sql.param(rows.map(({ values }) => values))}::bytea[]) ${RETURNING_ONE}`)
