import type { SyncKind, SyncTask } from '@voisol/contract/sync'
import { addDays, addMonths } from '@voisol/energy/calendar'
import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { operations } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { frenchDay } from '../../../french.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { ensureCredential } from '../enedis/enedis.ts'
import type { BlockFault } from './block.ts'
import { parisAt } from './clock.ts'
import { cutCalls, type Span } from './cut.ts'
import { type LinkedMember, membersOf } from './members.ts'
import { createTask } from './tasks.ts'

const NBSP = '\u00a0'

export type Wanted = Span & {
  companyId: number
  operationId: string
  kind: SyncKind
  /** All of the operation's where none is named. */
  pointIds: readonly string[]
  trigger: SyncTask['trigger']
  createdBy: string | null
  keyId?: string | undefined
  now?: Date
}

/** Asks the distributor for something. Gives the id of the task. */
export async function startTask(tx: Db, deps: Deps, wanted: Wanted): Promise<string> {
  const { companyId, operationId, kind, pointIds, from, to, now = new Date() } = wanted
  const { day: today } = parisAt(now)
  const acc = await accOf(tx, companyId, operationId, kind)
  checkSpan({ from, to }, today)
  const members = await membersOf(tx, { companyId, operationId, pointIds })
  requirePoints(members, pointIds)
  const credential = await ensureCredential(tx, deps, companyId, operationId)
  const calls = cutCalls(kind, { from, to }, members, { acc, today })
  return createTask(tx, { ...wanted, now, credentialId: credential.id, calls, blocked: blockedOf(members) })
}

async function accOf(tx: Db, companyId: number, id: string, kind: SyncKind): Promise<string> {
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

function checkSpan({ from, to }: Span, today: string): void {
  if (from >= to)
    throw fieldError(
      'to',
      `La fin (${frenchDay(to)}) doit suivre le début (${frenchDay(from)})${NBSP}: elle est exclue.`,
    )
  if (to > today)
    throw fieldError(
      'to',
      `La fin (${frenchDay(to)}) est dans le futur${NBSP}: au plus tard le ${frenchDay(today)}, exclu, car les données vont jusqu’à la veille.`,
    )
  const oldest = addDays(addMonths(today, -24), -15)
  if (from < oldest)
    throw fieldError(
      'from',
      `Le début (${frenchDay(from)}) est trop ancien${NBSP}: le distributeur garde 24 mois et 15 jours, soit au plus tôt le ${frenchDay(oldest)}.`,
    )
}

function requirePoints(members: LinkedMember[], pointIds: readonly string[]): void {
  const known = new Set(members.map(({ pointId }) => pointId))
  const at = pointIds.findIndex((id) => !known.has(id))
  if (at >= 0) throw fieldError(`pointIds.${at}`, 'Ce point ne fait pas partie de l’opération.')
}

const blockedOf = (members: LinkedMember[]): Map<string, BlockFault> =>
  new Map(members.flatMap(({ pointId, link }) => (link?.blockedAt && link.fault ? [[pointId, link.fault]] : [])))
