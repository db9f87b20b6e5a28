import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { and, eq } from 'drizzle-orm'
import type { Config } from '../../../config.ts'
import { connectionDeliveries, connections } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { authorizeJob } from '../../../http/job-actor.ts'
import {
  ConnectionFault,
  type Connector,
  type OpenedConnection,
  type OutgoingFile,
  toConnectionFault,
} from '../../../integrations/connections/connector.ts'
import { findConnectorOfKind } from '../../../integrations/connections/connectors.ts'
import { type ConnectionRow, decryptSettings, toConnectorTools } from './connection-settings.ts'

/** Turns any error into a delivery fault; a missing permission is final, because retrying cannot help. */
export const toDeliveryFault = (error: unknown) =>
  error instanceof AppError
    ? new ConnectionFault(error.message, { hopeless: true, cause: error })
    : toConnectionFault(error)

/** The user, or the API key, that last saved the connection. */
export const getConnectionRequester = ({ companyId, makerId, makerKeyId }: ConnectionRow) => ({
  companyId,
  userId: makerId,
  keyId: makerKeyId,
})

/**
 * Opens the connection with the current permissions of whoever saved it last, and checks its address again, since DNS
 * may point elsewhere by now.
 */
export async function openAuthorizedConnection(
  deps: Deps,
  row: ConnectionRow,
  connector: Connector,
): Promise<OpenedConnection> {
  await authorizeJob(deps.db, getConnectionRequester(row), { permission: 'connections.write' })
  const opened = { settings: decryptSettings(deps, row), hostKey: row.hostKey }
  const [refusal] = connector.refusals(toConnectorTools(deps), opened.settings)
  if (refusal) throw new ConnectionFault(refusal.message, { hopeless: true })
  return opened
}

async function isSent(
  { db }: Deps,
  { companyId, id }: ConnectionRow,
  { name, sha256 }: OutgoingFile,
): Promise<boolean> {
  const own = and(eq(connectionDeliveries.companyId, companyId), eq(connectionDeliveries.connectionId, id))
  const found = await db
    .select({ id: connectionDeliveries.id })
    .from(connectionDeliveries)
    .where(and(own, eq(connectionDeliveries.name, name), eq(connectionDeliveries.sha256, sha256)))
  return found.length > 0
}

/** Sends the same content under the same name only once: false when it had been sent already. */
export async function deliverOnce(
  deps: Deps,
  row: ConnectionRow,
  connector: Connector,
  opened: OpenedConnection,
  parcel: OutgoingFile,
) {
  if (await isSent(deps, row, parcel)) return false
  const { name, sha256, bytes } = parcel
  await connector.deliver?.(toConnectorTools(deps), opened, parcel)
  await deps.db
    .insert(connectionDeliveries)
    .values({ companyId: row.companyId, connectionId: row.id, name, sha256, bytes })
    .onConflictDoNothing()
  return true
}

type FileToDeliver = { name: string; type: string; content: OutgoingFileContent }

/** Sends one file outside the scheduled runs of a connection; a failure says why and whether to retry. */
export async function deliverFile(
  deps: Deps,
  { companyId, id }: Pick<ConnectionRow, 'companyId' | 'id'>,
  file: FileToDeliver,
) {
  const [row] = await deps.db
    .select()
    .from(connections)
    .where(and(eq(connections.companyId, companyId), eq(connections.id, id)))
  const connector = row && findConnectorOfKind(row.kind)
  const trouble = describeDeliveryBlock(row)
  if (!connector || trouble) throw new ConnectionFault(trouble, { hopeless: true })
  try {
    const opened = await openAuthorizedConnection(deps, row, connector)
    await withDraftFolder(deps.config, async (folder) => {
      await deliverOnce(
        deps,
        row,
        connector,
        opened,
        await writeOutgoingFile(folder, file.name, file.type, file.content),
      )
    })
  } catch (error) {
    throw toDeliveryFault(error)
  }
}

/** The reason why the connection sends nothing now; empty when it does. */
export function describeDeliveryBlock(row: Pick<ConnectionRow, 'kind' | 'state'> | undefined): string {
  if (!row || !findConnectorOfKind(row.kind)?.can.includes('deliver'))
    return 'Cette connexion n’existe plus\u00a0: choisissez-en une autre dans la règle.'
  return row.state === 'active' ? '' : 'Cette connexion est en pause ou arrêtée\u00a0: reprenez-la, puis rejouez.'
}

export type OutgoingFileContent = Uint8Array | string | AsyncIterable<Uint8Array>

/** Writes the file to disk before it is sent: it may be too large for memory. */
export async function writeOutgoingFile(
  folder: string,
  name: string,
  mediaType: string,
  content: OutgoingFileContent,
): Promise<OutgoingFile> {
  const path = join(folder, crypto.randomUUID())
  const hash = createHash('sha256')
  let bytes = 0
  const counted = new Transform({
    transform(piece: Buffer, _, done) {
      hash.update(piece)
      bytes += piece.length
      done(null, piece)
    },
  })
  const pieces = typeof content === 'string' || content instanceof Uint8Array ? [Buffer.from(content)] : content
  await pipeline(Readable.from(pieces), counted, createWriteStream(path, { mode: 0o600 }))
  return { name, path, bytes, sha256: hash.digest('hex'), mediaType }
}

/** A temporary folder for the files of one run, deleted after it. */
export async function withDraftFolder<T>({ dataDir }: Config, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = join(dataDir, 'connection-drafts', crypto.randomUUID())
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
