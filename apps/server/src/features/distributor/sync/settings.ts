import { stat } from 'node:fs/promises'
import { isAbsolute, relative, resolve } from 'node:path'
import type { Parsed } from '@voisol/contract/endpoint'
import type { sync as endpoints, SyncSettings } from '@voisol/contract/sync'
import { eq } from 'drizzle-orm'
import type { Config } from '../../../config.ts'
import { lockCompany } from '../../../core/lock-company.ts'
import type { Db } from '../../../db/client.ts'
import { syncSettings } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { fieldError } from '../../../http/errors.ts'
import { requireVersion } from '../../../http/record-version.ts'
import type { Secrets } from '../../../secrets.ts'

type Row = typeof syncSettings.$inferSelect
type Body = Parsed<typeof endpoints.saveSettings>['body']

const NBSP = '\u00a0'
const DEFAULTS = { hour: 8, enabled: true, rollingDays: 30, folder: '', toleranceWh: 1000, version: 0 }
const keyPlace = (companyId: number) => `distributor files ${companyId}`

/** The key that opens the distributor's archives; null where none is given. */
export const openFileKey = (secrets: Secrets, { companyId, fileKey }: Pick<Row, 'companyId' | 'fileKey'>) =>
  fileKey === null ? null : secrets.open(fileKey, keyPlace(companyId))

const toSettings = (row: Row | undefined): SyncSettings => {
  if (!row) return { ...DEFAULTS, hasFileKey: false }
  const { hour, enabled, rollingDays, folder, toleranceWh, version } = row
  return { hour, enabled, rollingDays, folder, toleranceWh, version, hasFileKey: row.fileKey !== null }
}

export async function getSettings(db: Db, actor: Actor): Promise<SyncSettings> {
  const [row] = await db.select().from(syncSettings).where(eq(syncSettings.companyId, actor.companyId))
  return toSettings(row)
}

export async function saveSettings(tx: Db, deps: Pick<Deps, 'secrets' | 'config'>, actor: Actor, body: Body) {
  const { companyId } = actor
  // The company's own row, since the settings' may not be there yet: two saves follow each other.
  await lockCompany(tx, companyId)
  const before = await getSettings(tx, actor)
  const { fileKey, version: _, ...values } = body
  requireVersion(before, { ...values, version: body.version })
  if (body.folder && body.folder !== before.folder) await requireFolder(deps.config, body.folder)
  const sealed = fileKey ? deps.secrets.seal(fileKey.toLowerCase(), keyPlace(companyId)) : null
  const set = { ...values, version: before.version + 1, ...(fileKey !== undefined && { fileKey: sealed }) }
  await tx
    .insert(syncSettings)
    .values({ companyId, ...set })
    .onConflictDoUpdate({ target: syncSettings.companyId, set })
  return { before, after: await getSettings(tx, actor) }
}

const within = (root: string, folder: string) => {
  const path = relative(resolve(root), resolve(folder))
  return path === '' || !(path.startsWith('..') || isAbsolute(path))
}

/** What the server reads of its own disk is the operator's decision, not that of whoever fills in a form. */
async function requireFolder({ production, ENEDIS_FOLDERS }: Config, folder: string): Promise<void> {
  if (!isAbsolute(folder))
    throw fieldError(
      'folder',
      `Chemin complet attendu, par exemple${NBSP}/srv/enedis, et non «${NBSP}${folder}${NBSP}».`,
    )
  const roots = ENEDIS_FOLDERS.split(',')
    .map((root) => root.trim())
    .filter(Boolean)
  if ((production || roots.length) && !roots.some((root) => within(root, folder)))
    throw fieldError(
      'folder',
      'Ce dossier n’est pas de ceux que l’exploitant du serveur a ouverts aux fichiers d’Enedis (ENEDIS_FOLDERS).',
    )
  const found = await stat(folder).catch(() => undefined)
  if (!found?.isDirectory()) throw fieldError('folder', 'Ce dossier n’existe pas sur le serveur, ou n’est pas lisible.')
}
