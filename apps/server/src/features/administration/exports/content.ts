import { timingSafeEqual } from 'node:crypto'
import { DATA_SETS } from '@voisol/contract/data-sets'
import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { dataExports } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { authorizeJob } from '../../../http/job-actor.ts'
import { fileKind, requireRight, toOrder } from './order.ts'
import { exportScope } from './scope.ts'
import { exportKey, findExport, type Row } from './view.ts'

const HOURS = 24

/** The file of one that is there, and whose days are not over. */
async function fileOf({ files }: Pick<Deps, 'files'>, row: Row) {
  const standing = row.state === 'done' && row.expiresAt !== null && row.expiresAt > new Date()
  const content = standing ? await files.stream(exportKey(row)) : undefined
  if (!content) throw new AppError('not-found')
  return { name: row.name, type: fileKind(toOrder(row).format).type, content }
}

/** A right that was taken away is gone for what was made with it. */
export async function download(db: Db, deps: Pick<Deps, 'files'>, actor: Actor, id: string) {
  const row = await findExport(db, actor, id)
  requireRight(actor, toOrder(row).dataSet)
  return fileOf(deps, row)
}

type Signing = Pick<Deps, 'secrets'>
const signed = ({ secrets }: Signing, text: string) => secrets.stamp('export', text)

/** Opens without a session until it ends, for a program or a colleague: whoever has it has the file. */
export async function linkTo(db: Db, deps: Signing, actor: Actor, id: string, base: string) {
  const row = await findExport(db, actor, id)
  requireRight(actor, toOrder(row).dataSet)
  if (row.state !== 'done' || !row.expiresAt)
    throw new AppError('conflict', {
      message: 'Cet export n’a pas de fichier\u00a0: attendez qu’il soit prêt, ou refaites-le.',
    })
  const end = Math.min(Date.now() + HOURS * 3_600_000, row.expiresAt.getTime())
  const text = [row.companyId, row.id, Math.floor(end / 1000)].join('.')
  return {
    row,
    url: `${base}/api/export-links/${text}.${signed(deps, text)}`,
    expiresAt: new Date(Math.floor(end / 1000) * 1000).toISOString(),
  }
}

const SHAPE = /^((\d{1,10})\.([0-9a-f-]{36})\.(\d{1,12}))\.([\w-]{43})$/

/** Judged again at each use: the link, its end, and whether whoever made the file may still see what is in it. */
export async function linked(db: Db, deps: Pick<Deps, 'files'> & Signing, token: string) {
  const [, text = '', companyId, id = '', end, stamp = ''] = SHAPE.exec(token) ?? []
  const wanted = Buffer.from(signed(deps, text))
  const given = Buffer.from(stamp)
  const genuine = given.length === wanted.length && timingSafeEqual(given, wanted)
  if (!genuine || Number(end) * 1000 <= Date.now()) throw new AppError('not-found')
  const [row] = await db
    .select()
    .from(dataExports)
    .where(and(eq(dataExports.companyId, Number(companyId)), eq(dataExports.id, id)))
  if (!row) throw new AppError('not-found')
  const asker = { companyId: row.companyId, userId: row.userId, keyId: row.keyId }
  const permission = DATA_SETS[toOrder(row).dataSet].permission
  const actor = await authorizeJob(db, asker, { permission }).catch(() => undefined)
  const [still] = actor
    ? await db
        .select({ id: dataExports.id })
        .from(dataExports)
        .where(and(exportScope({ ...actor, userId: row.userId }), eq(dataExports.id, id)))
    : []
  if (!still) throw new AppError('not-found')
  return fileOf(deps, row)
}
