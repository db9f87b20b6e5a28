import type { SyncKind, SyncTask } from '@voisol/contract/sync'
import { addDays, addMonths } from '@voisol/energy/calendar'
import { formatFrenchDay } from '@voisol/file-formats/french'
import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { operations, syncTasks, syncWindows } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { getOrCreateCredential } from '../credentials/index.ts'
import type { BlockFault } from './blocked-points.ts'
import { buildSyncCalls, type LinkedMember, listSyncMembers, type SyncCall, type SyncDayRange } from './build-calls.ts'
import { getParisTime } from './call-slots.ts'
import { updateTaskProgress } from './task-progress.ts'

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

type NewSyncTask = SyncDayRange & {
  companyId: number
  operationId: string
  credentialId: string
  kind: SyncKind
  trigger: SyncTask['trigger']
  createdBy: string | null
  keyId?: string | undefined
  now: Date
  /** The earliest time of the calls; at once when missing. */
  startAt?: Date
  calls: SyncCall[]
  /** Points that are not requested, each with its reason. */
  blocked?: Map<string, BlockFault>
}
type WindowRow = typeof syncWindows.$inferInsert

const WINDOWS_PER_INSERT = 2000
const NO_CALL_MESSAGE = 'Aucun appel à faire\u00a0: aucun point n’a de jour à demander sur cette période.'

/** Creates a task and its calls. A call that another task is making is left out. */
export async function createSyncTask(tx: Db, task: NewSyncTask): Promise<string> {
  const { companyId, operationId, credentialId, kind, trigger, createdBy, keyId, now, calls, from, to } = task
  const [row] = await tx
    .insert(syncTasks)
    .values({
      companyId,
      operationId,
      credentialId,
      kind,
      trigger,
      createdBy,
      keyId,
      from,
      to,
      status: 'waiting',
      createdAt: now,
      points: new Set(calls.map(({ subject, direction }) => subject + direction)).size,
      ...(calls.length ? {} : { message: NO_CALL_MESSAGE }),
    })
    .returning({ id: syncTasks.id })
  if (!row) throw new Error('no task')
  const windows = calls.map((call) => toWindowRow(task, row.id, call))
  for (let at = 0; at < windows.length; at += WINDOWS_PER_INSERT)
    await insertWindows(tx, windows.slice(at, at + WINDOWS_PER_INSERT))
  await updateTaskProgress(tx, companyId, [row.id], now)
  await enqueue(tx, 'sync.run', { companyId, credentialId }, { once: credentialId })
  return row.id
}

function toWindowRow(
  { companyId, credentialId, kind, now, startAt = now, blocked }: NewSyncTask,
  taskId: string,
  call: SyncCall,
): WindowRow {
  const row = { companyId, id: crypto.randomUUID(), taskId, credentialId, kind, ...call, nextAt: startAt }
  const fault = call.pointId ? blocked?.get(call.pointId) : undefined
  return fault ? { ...row, status: 'failed', fault, finishedAt: now } : { ...row, status: 'waiting' }
}

async function insertWindows(tx: Db, rows: WindowRow[]): Promise<void> {
  const added = await tx
    .insert(syncWindows)
    .values(rows)
    .onConflictDoNothing({
      target: [
        syncWindows.companyId,
        syncWindows.kind,
        syncWindows.subject,
        syncWindows.direction,
        syncWindows.from,
        syncWindows.to,
      ],
      where: sql`status in ('waiting', 'running')`,
    })
    .returning({ id: syncWindows.id })
  const known = new Set(added.map(({ id }) => id))
  const inOtherTasks = rows.filter(({ id }) => !known.has(id ?? ''))
  if (inOtherTasks.length)
    await tx
      .insert(syncWindows)
      .values(inOtherTasks.map((row) => ({ ...row, status: 'skipped', finishedAt: row.nextAt ?? null })))
}
