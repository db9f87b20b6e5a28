import type { SyncKind, SyncTask } from '@voisol/contract/sync'
import { addDays, addMonths } from '@voisol/energy/calendar'
import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { operations } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { formatFrenchDay } from '../../../french.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { getOrCreateCredential } from '../enedis/enedis.ts'
import type { BlockFault } from './block.ts'
import { getParisTime } from './clock.ts'
import { buildSyncCalls, type SyncDayRange } from './cut.ts'
import { type LinkedMember, listSyncMembers } from './members.ts'
import { createSyncTask } from './tasks.ts'

const NBSP = '\u00a0'

export type StartSyncTaskInput = SyncDayRange & {
  companyId: number
  operationId: string
  kind: SyncKind
  /** All points of the operation when empty. */
  pointIds: readonly string[]
  trigger: SyncTask['trigger']
  createdBy: string | null
  keyId?: string | undefined
  now?: Date
}

/** Starts a request to the distributor and returns the id of its task. */
export async function startSyncTask(tx: Db, deps: Deps, input: StartSyncTaskInput): Promise<string> {
  const { companyId, operationId, kind, pointIds, from, to, now = new Date() } = input
  const { day: today } = getParisTime(now)
  const acc = await requireAccNumber(tx, companyId, operationId, kind)
  requireAllowedPeriod({ from, to }, today)
  const members = await listSyncMembers(tx, { companyId, operationId, pointIds })
  requireOperationPoints(members, pointIds)
  const credential = await getOrCreateCredential(tx, deps, companyId, operationId)
  const calls = buildSyncCalls(kind, { from, to }, members, { acc, today })
  return createSyncTask(tx, { ...input, now, credentialId: credential.id, calls, blocked: mapBlockedPoints(members) })
}

async function requireAccNumber(tx: Db, companyId: number, id: string, kind: SyncKind): Promise<string> {
  const [operation] = await tx
    .select({ acc: operations.accNumber })
    .from(operations)
    .where(and(eq(operations.companyId, companyId), eq(operations.id, id)))
  if (!operation) throw new AppError('not-found')
  const wantsAcc = kind === 'perimeter' || kind === 'agreement-series' || kind === 'definitive'
  if (wantsAcc && !operation.acc)
    throw fieldError(
      'operationId',
      `Cette opération n’a pas encore de numéro de convention${NBSP}: saisissez-le dans sa fiche, par exemple ACC00000537.`,
    )
  return operation.acc ?? ''
}

function requireAllowedPeriod({ from, to }: SyncDayRange, today: string): void {
  if (from >= to)
    throw fieldError(
      'to',
      `La fin (${formatFrenchDay(to)}) doit suivre le début (${formatFrenchDay(from)})${NBSP}: elle est exclue.`,
    )
  if (to > today)
    throw fieldError(
      'to',
      `La fin (${formatFrenchDay(to)}) est dans le futur${NBSP}: au plus tard le ${formatFrenchDay(today)}, exclu, car les données vont jusqu’à la veille.`,
    )
  const oldest = addDays(addMonths(today, -24), -15)
  if (from < oldest)
    throw fieldError(
      'from',
      `Le début (${formatFrenchDay(from)}) est trop ancien${NBSP}: le distributeur garde 24 mois et 15 jours, soit au plus tôt le ${formatFrenchDay(oldest)}.`,
    )
}

function requireOperationPoints(members: LinkedMember[], pointIds: readonly string[]): void {
  const known = new Set(members.map(({ pointId }) => pointId))
  const at = pointIds.findIndex((id) => !known.has(id))
  if (at >= 0) throw fieldError(`pointIds.${at}`, 'Ce point ne fait pas partie de l’opération.')
}

const mapBlockedPoints = (members: LinkedMember[]): Map<string, BlockFault> =>
  new Map(members.flatMap(({ pointId, link }) => (link?.blockedAt && link.fault ? [[pointId, link.fault]] : [])))
