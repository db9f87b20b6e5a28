import type { Reply } from '@voisol/contract/endpoint'
import type { keys } from '@voisol/contract/keys'
import { dayStart, listDays, stepsOfDay } from '@voisol/energy/calendar'
import { MISSING, type Step } from '@voisol/energy/series'
import { and, eq, gte, isNull, lt, sql } from 'drizzle-orm'
import { handedOver } from '../../../compute/handed-over.ts'
import type { KeyVersion } from '../../../core/key-versions.ts'
import { type Member, membersOf } from '../../../core/members.ts'
import type { Db } from '../../../db/client.ts'
import { gathered } from '../../../db/gathered.ts'
import { keyCoefficients } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import type { Context } from '../../../http/route.ts'
import type { CoefficientRows } from './coefficient-file.ts'
import { lockKey, requireSound, requireUnused, tellKey, touchKey } from './held.ts'

type Report = Reply<typeof keys.importCoefficients>
type Upload = { name: string; dryRun: boolean; bytes: Uint8Array }
type Problem = Report['problems'][number]
type Target = { producer: Member | null; problems: Problem[] }

/** `<prm>.csv` is that producer's; any other name means the pool. */
function targetOf(version: KeyVersion, name: string, members: Member[]): Target {
  const prm = /(?:^|[\\/])(\d{14})\.csv$/i.exec(name)?.[1]
  const producers = members.filter(({ direction }) => direction === 'production')
  const producer = producers.find((member) => member.prm === prm) ?? null
  const refuse = (message: string): Target => ({ producer: null, problems: [{ line: 1, message }] })
  if (prm && !producer) return refuse(`Le PRM ${prm} du nom du fichier n’est pas celui d’un producteur de l’opération.`)
  if (version.method === 'complete')
    return producer
      ? { producer, problems: [] }
      : refuse('La dynamique complète prend un fichier par producteur, nommé par son PRM : « 12345678901234.csv ».')
  // With one producer its file and that of the pool say the same.
  const alone = new Set(producers.map(({ pointId }) => pointId)).size === 1
  if (producer && !alone)
    return refuse('La dynamique simple prend un seul fichier pour tous les producteurs : donnez-lui un autre nom.')
  return { producer: null, problems: [] }
}

function consumersOf({ curves }: CoefficientRows, members: Member[]) {
  const byPrm = new Map(members.filter((m) => m.direction === 'consumption').map((m) => [m.prm, m.pointId]))
  const known = [...curves].flatMap(([prm, values]) => {
    const pointId = byPrm.get(prm)
    return pointId ? [{ pointId, values }] : []
  })
  const problems: Problem[] = [...curves.keys()]
    .filter((prm) => !byPrm.has(prm))
    .map((prm) => ({ line: 1, message: `Le PRM ${prm} n’est pas celui d’un consommateur de l’opération à ces dates.` }))
  return { known, problems }
}

export async function importCoefficients(
  ctx: Pick<Context, 'db' | 'compute' | 'signal'>,
  actor: Actor,
  id: string,
  { name, dryRun, bytes }: Upload,
) {
  const { db: tx, compute, signal } = ctx
  const locked = await lockKey(tx, actor, id)
  const { version } = locked
  if (version.method !== 'simple' && version.method !== 'complete')
    throw new AppError('conflict', {
      message: 'Seules la dynamique simple et la dynamique complète prennent des coefficients par pas de temps.',
    })
  await requireUnused(tx, version)
  const given = { bytes: handedOver(bytes), step: locked.step as Step } // the column holds only these steps
  const options = { companyId: actor.companyId, signal, moved: [given.bytes.buffer] }
  const read = await compute('keys.coefficients', given, options)
  const span = read.rows ?? { from: version.startsOn, to: null }
  const members = await membersOf(tx, actor.companyId, version.operationId, span)
  const target = targetOf(version, name, members)
  const consumers = read.rows ? consumersOf(read.rows, members) : { known: [], problems: [] }
  const problems = [...target.problems, ...consumers.problems, ...read.problems]
  const stored = !dryRun && problems.length === 0 && read.rows !== null
  if (stored && read.rows) {
    await store(tx, version, target.producer?.pointId ?? null, read.rows, consumers.known)
    await touchKey(tx, version)
    if (version.status === 'adopted') {
      await requireSound(tx, version, locked.all, locked.step)
      await tellKey(tx, 'key.changed', version, read.rows)
    }
  }
  const report: Report = {
    producer: target.producer?.prm ?? null,
    consumers: consumers.known.length,
    from: read.rows?.from ?? null,
    to: read.rows?.to ?? null,
    steps: read.rows?.lines ?? 0,
    problems,
    stored,
  }
  return { version, report }
}

type Known = { pointId: string; values: Int32Array }[]
type Row = { pointId: string; day: string; values: Buffer }

/** The file says all there is to say of its days: what an earlier one said of them is gone. */
async function store(
  tx: Db,
  { companyId, id }: KeyVersion,
  producerId: string | null,
  file: CoefficientRows,
  known: Known,
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
  // A consumer at a time: a year of hundreds of them is not cut up in one go.
  for (const one of known) {
    const rows = daysOf(one, file)
    if (rows.length) await insert(tx, companyId, id, producerId, rows)
  }
}

const daysOf = ({ pointId, values }: Known[number], { from, to, step }: CoefficientRows): Row[] =>
  listDays(from, to).flatMap((day): Row[] => {
    const at = (dayStart(day) - dayStart(from)) / step
    const own = values.slice(at, at + stepsOfDay(day, step))
    return own.every((value) => value === MISSING) ? [] : [{ pointId, day, values: Buffer.from(own.buffer) }]
  })

const insert = (tx: Db, companyId: number, keyId: string, producerId: string | null, rows: Row[]) =>
  tx.execute(sql`
    insert into key_coefficients (company_id, key_id, producer_id, point_id, day, values)
    select ${companyId}, ${keyId}, ${producerId}::uuid, * from unnest(
      ${sql.param(rows.map(({ pointId }) => pointId))}::uuid[], ${sql.param(rows.map(({ day }) => day))}::date[],
      ${sql.param(rows.map(({ values }) => values))}::bytea[]) ${gathered}`)
