import { and, eq } from 'drizzle-orm'
import type { Connector, Opened, Parcel } from '../../../adapters/connections/connector.ts'
import { ConnectionFault, faultOf } from '../../../adapters/connections/faults.ts'
import { connectorOf } from '../../../adapters/connections/table.ts'
import { connectionDeliveries, connections } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { authorizeJob } from '../../../http/job-actor.ts'
import { type Content, draft, withDrafts } from './draft.ts'
import { openSettings, type Row, toolsOf } from './settings.ts'

/** What is wrong, whoever says it: a right that was taken away is nothing that another attempt could mend. */
export const explained = (error: unknown) =>
  error instanceof AppError ? new ConnectionFault(error.message, { hopeless: true, cause: error }) : faultOf(error)

/** Whoever saved it last, and the key by which they did. */
export const keeperOf = ({ companyId, makerId, makerKeyId }: Row) => ({ companyId, userId: makerId, keyId: makerKeyId })

/** Opened in the name of whoever saved it last, as they stand now, and judged again: what was public may have become something else. */
export async function admit(deps: Deps, row: Row, connector: Connector): Promise<Opened> {
  await authorizeJob(deps.db, keeperOf(row), { permission: 'connections.write' })
  const opened = { settings: openSettings(deps, row), hostKey: row.hostKey }
  const [refusal] = connector.refusals(toolsOf(deps), opened.settings)
  if (refusal) throw new ConnectionFault(refusal.message, { hopeless: true })
  return opened
}

async function isSent({ db }: Deps, { companyId, id }: Row, { name, sha256 }: Parcel): Promise<boolean> {
  const own = and(eq(connectionDeliveries.companyId, companyId), eq(connectionDeliveries.connectionId, id))
  const found = await db
    .select({ id: connectionDeliveries.id })
    .from(connectionDeliveries)
    .where(and(own, eq(connectionDeliveries.name, name), eq(connectionDeliveries.sha256, sha256)))
  return found.length > 0
}

/** The same content under the same name leaves once, whoever asks again: false where it had left. */
export async function carry(deps: Deps, row: Row, connector: Connector, opened: Opened, parcel: Parcel) {
  if (await isSent(deps, row, parcel)) return false
  const { name, sha256, bytes } = parcel
  await connector.deliver?.(toolsOf(deps), opened, parcel)
  await deps.db
    .insert(connectionDeliveries)
    .values({ companyId: row.companyId, connectionId: row.id, name, sha256, bytes })
    .onConflictDoNothing()
  return true
}

type File = { name: string; type: string; content: Content }

/** One file, beside the runs of a connection: it leaves, or the fault says why and whether to try again. */
export async function dropFile(deps: Deps, { companyId, id }: Pick<Row, 'companyId' | 'id'>, file: File) {
  const [row] = await deps.db
    .select()
    .from(connections)
    .where(and(eq(connections.companyId, companyId), eq(connections.id, id)))
  const connector = row && connectorOf(row.kind)
  const trouble = troubleOf(row)
  if (!connector || trouble) throw new ConnectionFault(trouble, { hopeless: true })
  try {
    const opened = await admit(deps, row, connector)
    await withDrafts(deps.config, async (folder) => {
      await carry(deps, row, connector, opened, await draft(folder, file.name, file.type, file.content))
    })
  } catch (error) {
    throw explained(error)
  }
}

/** Why nothing leaves by it now; empty where it does. */
export function troubleOf(row: Pick<Row, 'kind' | 'state'> | undefined): string {
  if (!row || !connectorOf(row.kind)?.can.includes('deliver'))
    return 'Cette connexion n’existe plus\u00a0: choisissez-en une autre dans la règle.'
  return row.state === 'active' ? '' : 'Cette connexion est en pause ou arrêtée\u00a0: reprenez-la, puis rejouez.'
}
