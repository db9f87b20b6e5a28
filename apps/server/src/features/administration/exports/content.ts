import { timingSafeEqual } from 'node:crypto'
import { DATA_SETS } from '@voisol/contract/data-sets'
import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { dataExports } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { authorizeJob } from '../../../http/job-actor.ts'
import { getFileKind, requireDataSetPermission, toExportOrder } from './order.ts'
import { exportScope } from './scope.ts'
import { type ExportRow, getExportFileKey, loadExport } from './view.ts'

const LINK_HOURS = 24

/** Opens the file of a finished export that has not expired. */
async function loadExportFile({ files }: Pick<Deps, 'files'>, row: ExportRow) {
  const isAvailable = row.state === 'done' && row.expiresAt !== null && row.expiresAt > new Date()
  const content = isAvailable ? await files.stream(getExportFileKey(row)) : undefined
  if (!content) throw new AppError('not-found')
  return { name: row.name, type: getFileKind(toExportOrder(row).format).type, content }
}

/** The permission is checked again at download: who lost it can no longer download what was exported with it. */
export async function downloadExport(db: Db, deps: Pick<Deps, 'files'>, actor: Actor, id: string) {
  const row = await loadExport(db, actor, id)
  requireDataSetPermission(actor, toExportOrder(row).dataSet)
  return loadExportFile(deps, row)
}

type SigningDeps = Pick<Deps, 'secrets'>
const signLink = ({ secrets }: SigningDeps, text: string) => secrets.stamp('export', text)

/** A signed link that needs no session until it expires: anybody who has the link can download the file. */
export async function createDownloadLink(db: Db, deps: SigningDeps, actor: Actor, id: string, base: string) {
  const row = await loadExport(db, actor, id)
  requireDataSetPermission(actor, toExportOrder(row).dataSet)
  if (row.state !== 'done' || !row.expiresAt)
    throw new AppError('conflict', {
      message: 'Cet export n’a pas de fichier\u00a0: attendez qu’il soit prêt, ou refaites-le.',
    })
  const end = Math.min(Date.now() + LINK_HOURS * 3_600_000, row.expiresAt.getTime())
  const text = [row.companyId, row.id, Math.floor(end / 1000)].join('.')
  return {
    row,
    url: `${base}/api/export-links/${text}.${signLink(deps, text)}`,
    expiresAt: new Date(Math.floor(end / 1000) * 1000).toISOString(),
  }
}

const LINK_PATTERN = /^((\d{1,10})\.([0-9a-f-]{36})\.(\d{1,12}))\.([\w-]{43})$/

/** Checks at each use the signature, the expiry, and that the owner of the export may still read its data. */
export async function downloadByLink(db: Db, deps: Pick<Deps, 'files'> & SigningDeps, token: string) {
  const [, text = '', companyId, id = '', end, stamp = ''] = LINK_PATTERN.exec(token) ?? []
  const expectedStamp = Buffer.from(signLink(deps, text))
  const givenStamp = Buffer.from(stamp)
  const genuine = givenStamp.length === expectedStamp.length && timingSafeEqual(givenStamp, expectedStamp)
  if (!genuine || Number(end) * 1000 <= Date.now()) throw new AppError('not-found')
  const [row] = await db
    .select()
    .from(dataExports)
    .where(and(eq(dataExports.companyId, Number(companyId)), eq(dataExports.id, id)))
  if (!row) throw new AppError('not-found')
  const requester = { companyId: row.companyId, userId: row.userId, keyId: row.keyId }
  const permission = DATA_SETS[toExportOrder(row).dataSet].permission
  const actor = await authorizeJob(db, requester, { permission }).catch(() => undefined)
  const [still] = actor
    ? await db
        .select({ id: dataExports.id })
        .from(dataExports)
        .where(and(exportScope({ ...actor, userId: row.userId }), eq(dataExports.id, id)))
    : []
  if (!still) throw new AppError('not-found')
  return loadExportFile(deps, row)
}
