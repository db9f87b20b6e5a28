import type { ParsedInput } from '@voisol/contract/endpoint'
import type { sync as endpoints, SyncSettings } from '@voisol/contract/sync'
import { eq } from 'drizzle-orm'
import { lockCompany } from '../../../core/company-state.ts'
import type { Db } from '../../../db/client.ts'
import { syncSettings } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import type { Secrets } from '../../../secrets.ts'
import { listWatchedFolders, openWatchedFolder } from './watched-folder.ts'

type Row = typeof syncSettings.$inferSelect
type SaveSettingsInput = ParsedInput<typeof endpoints.saveSettings>['body']

const DEFAULT_SETTINGS = { hour: 8, enabled: true, rollingDays: 30, folder: '', toleranceWh: 1000, version: 0 }
const getFileKeySealContext = (companyId: number) => `distributor files ${companyId}`

/** The AES key of the distributor's archives; null when none is configured. */
export const decryptFileKey = (secrets: Secrets, { companyId, fileKey }: Pick<Row, 'companyId' | 'fileKey'>) =>
  fileKey === null ? null : secrets.open(fileKey, getFileKeySealContext(companyId))

const toSyncSettings = (row: Row | undefined, folders: string[]): SyncSettings => {
  if (!row) return { ...DEFAULT_SETTINGS, folders, hasFileKey: false }
  const { hour, enabled, rollingDays, folder, toleranceWh, version } = row
  return { hour, enabled, rollingDays, folder, folders, toleranceWh, version, hasFileKey: row.fileKey !== null }
}

export async function loadSyncSettings(
  db: Db,
  { config }: Pick<Deps, 'config'>,
  { companyId }: Actor,
): Promise<SyncSettings> {
  const [row] = await db.select().from(syncSettings).where(eq(syncSettings.companyId, companyId))
  return toSyncSettings(row, listWatchedFolders(config, companyId))
}

export async function saveSyncSettings(
  tx: Db,
  deps: Pick<Deps, 'secrets' | 'config'>,
  actor: Actor,
  body: SaveSettingsInput,
) {
  const { companyId } = actor
  // Locks the company row, because the settings row may not exist yet: concurrent saves are serialised.
  await lockCompany(tx, companyId)
  const before = await loadSyncSettings(tx, deps, actor)
  const { fileKey, version: _, ...values } = body
  requireCurrentVersion(before, { ...values, version: body.version })
  if (body.folder) await (await openWatchedFolder(deps.config, companyId, body.folder)).close()
  const sealed = fileKey ? deps.secrets.seal(fileKey.toLowerCase(), getFileKeySealContext(companyId)) : null
  const set = { ...values, version: before.version + 1, ...(fileKey !== undefined && { fileKey: sealed }) }
  await tx
    .insert(syncSettings)
    .values({ companyId, ...set })
    .onConflictDoUpdate({ target: syncSettings.companyId, set })
  return { before, after: await loadSyncSettings(tx, deps, actor) }
}
