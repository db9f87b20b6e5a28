import type { Operation, OperationDraft, OperationUpdate } from '@voisol/contract/operations'
import { findPerimeterProblems } from '@voisol/energy/perimeter'
import { formatFrenchDay } from '@voisol/file-formats/french'
import { and, eq, min, ne, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { allocationRuns, documents, keys, operations, participations, projects } from '../../../db/schema/index.ts'
import { recordEvent } from '../../../events/events.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { getToday } from '../../../today.ts'
import { createFirstKey } from '../allocation-keys/index.ts'
import { enrolParticipants, lockEnrolments } from '../participants/index.ts'
import { loadOperation, lockReadableOperation } from './operation-queries.ts'

type OperationInput = z.output<typeof OperationDraft>
type FirstKeyInput = NonNullable<OperationInput['key']>

type StartAndEnd = { startsOn?: string | null | undefined; endsOn?: string | null | undefined }

function requireDatesInOrder({ startsOn, endsOn }: StartAndEnd) {
  if (startsOn && endsOn && endsOn <= startsOn)
    throw fieldError('endsOn', `La fin doit suivre le début, le ${formatFrenchDay(startsOn)}.`)
}

/** Operation numbers are checked one at a time per company, so that two requests cannot take the same one. */
async function requireUnusedAccNumber(tx: Db, actor: Actor, accNumber: string, except?: string) {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('operations.acc_number'), ${actor.companyId})`)
  const [other] = await tx
    .select({ name: operations.name })
    .from(operations)
    .where(
      and(
        eq(operations.companyId, actor.companyId),
        eq(operations.accNumber, accNumber),
        except ? ne(operations.id, except) : undefined,
      ),
    )
  if (other)
    throw fieldError(
      'accNumber',
      `Le numéro ${accNumber} est déjà celui de l’opération «\u00a0${other.name}\u00a0».`,
      'conflict',
    )
}

function requireAccNumberRemovable({ status }: Operation) {
  if (status === 'active' || status === 'suspended')
    throw fieldError('accNumber', 'Une opération en service garde son numéro\u00a0: remplacez-le, sans l’effacer.')
}

/** Refuses a participation that begins before its operation. */
async function requireNoParticipationBefore(tx: Db, actor: Actor, operationId: string, startsOn: string) {
  const [row] = await tx
    .select({ first: min(participations.startsOn) })
    .from(participations)
    .where(and(eq(participations.companyId, actor.companyId), eq(participations.operationId, operationId)))
  if (row?.first && row.first < startsOn)
    throw fieldError(
      'startsOn',
      `Un point participe dès le ${formatFrenchDay(row.first)}\u00a0: l’opération ne peut pas commencer après ce jour.`,
    )
}

/** Refuses a declared power above the legal limit as soon as it is entered. */
function requireAllowedPower({ perimeter, zone }: Pick<Operation, 'perimeter' | 'zone'>, watts: number, path: string) {
  const refused = findPerimeterProblems({ perimeter, zone, points: [], watts }).find(
    ({ severity }) => severity === 'refused',
  )
  if (refused) throw fieldError(path, `${refused.message.replace(/\.$/, '')} (${refused.rule}).`)
}

/** Creates the operation, its participants and its key in one transaction. */
export async function createOperation(tx: Db, actor: Actor, draft: OperationInput): Promise<Operation> {
  const { capacity, participants, key, ...values } = draft
  const capacityWatts = Math.round(capacity * 1000)
  const { perimeter = 'extended', zone = 'metropole' } = values
  requireDatesInOrder(values)
  requireAllowedPower({ perimeter, zone }, capacityWatts, 'capacity')
  if (values.accNumber) await requireUnusedAccNumber(tx, actor, values.accNumber)
  const [row] = await tx
    .insert(operations)
    .values({ ...values, capacityWatts, companyId: actor.companyId })
    .returning({ id: operations.id })
  if (!row) throw new AppError('internal')
  await recordOperationCreated(tx, actor.companyId, await loadOperation(tx, actor, row.id))
  const startsOn = values.startsOn ?? getToday()
  const points = await enrolParticipants(tx, actor, row.id, participants, startsOn)
  await createFirstKey(tx, actor, row.id, {
    method: key?.method ?? 'default',
    startsOn: getFirstDay(startsOn, participants),
    shares: key ? toKeyShares(key, points) : [],
  })
  return loadOperation(tx, actor, row.id)
}

/** The key applies from the first day of any participation. */
const getFirstDay = (startsOn: string, lines: OperationInput['participants']) =>
  lines.reduce((first, line) => (line.startsOn && line.startsOn < first ? line.startsOn : first), startsOn)

function toKeyShares({ shares }: FirstKeyInput, points: Map<string, string>) {
  const issues: { path: string; message: string }[] = []
  const shareRows = shares.flatMap(({ prm, share, rank }, index) => {
    const digits = prm.replace(/[\s.-]/g, '')
    const pointId = points.get(`${digits} consumption`)
    if (pointId) return [{ pointId, ...(share !== undefined && { share }), ...(rank !== undefined && { rank }) }]
    const message = `Le PRM ${prm} n’est pas celui d’un consommateur de cette opération.`
    issues.push({ path: `key.shares.${index}.prm`, message })
    return []
  })
  if (issues.length) throw new AppError('invalid', { issues })
  return shareRows
}

type UpdateOperationInput = z.output<typeof OperationUpdate>

export async function updateOperation(tx: Db, actor: Actor, id: string, input: UpdateOperationInput) {
  await lockEnrolments(tx, actor.companyId)
  const before = await lockReadableOperation(tx, actor, id)
  const { version, ...values } = input
  // The calendar has its own table and no one-field message.
  const { timeCalendar: _, ...fields } = before
  requireCurrentVersion(fields, input)
  await requireOperationValid(tx, actor, before, input)
  await tx
    .update(operations)
    .set({ ...values, version: version + 1 })
    .where(and(eq(operations.companyId, actor.companyId), eq(operations.id, id)))
  const after = await loadOperation(tx, actor, id)
  const days = getComputationInputs(before) === getComputationInputs(after) ? null : { from: '1970-01-01', to: null }
  await recordOperationUpdated(tx, actor.companyId, after, days)
  return { before, after }
}

/** The fields of the operation that allocation depends on. */
const getComputationInputs = ({ stepMinutes, timeCalendar: { offPeak, peak } }: Operation) =>
  JSON.stringify([stepMinutes, offPeak, peak])

async function requireOperationValid(tx: Db, actor: Actor, before: Operation, input: UpdateOperationInput) {
  const { accNumber, startsOn, capacityWatts } = input
  requireDatesInOrder(input)
  requireAllowedPower(input, capacityWatts, 'capacityWatts')
  if (accNumber === null && before.accNumber) requireAccNumberRemovable(before)
  if (accNumber && accNumber !== before.accNumber) await requireUnusedAccNumber(tx, actor, accNumber, before.id)
  if (startsOn && startsOn !== before.startsOn) await requireNoParticipationBefore(tx, actor, before.id, startsOn)
}

/** Removes an operation that is still a draft; its people and points are kept. */
export async function removeOperation(tx: Db, actor: Actor, id: string) {
  await lockEnrolments(tx, actor.companyId)
  const operation = await lockReadableOperation(tx, actor, id)
  if (operation.status !== 'draft')
    throw new AppError('conflict', {
      message: 'Seul un brouillon peut être supprimé\u00a0: clôturez plutôt l’opération.',
    })
  await requireOperationUnused(tx, actor, id)
  const { companyId } = actor
  const [document] = await tx
    .select({ id: documents.id })
    .from(documents)
    .where(and(eq(documents.companyId, companyId), eq(documents.ownerKind, 'operation'), eq(documents.ownerId, id)))
    .limit(1)
  if (document) throw new AppError('conflict', { message: 'Retirez d’abord les documents joints à cette opération.' })
  await tx
    .update(projects)
    .set({ operationId: null })
    .where(and(eq(projects.companyId, companyId), eq(projects.operationId, id)))
  await tx.delete(keys).where(and(eq(keys.companyId, companyId), eq(keys.operationId, id)))
  await tx
    .delete(participations)
    .where(and(eq(participations.companyId, companyId), eq(participations.operationId, id)))
  await tx.delete(operations).where(and(eq(operations.companyId, companyId), eq(operations.id, id)))
  return operation
}

async function requireOperationUnused(tx: Db, actor: Actor, id: string) {
  const [run] = await tx
    .select({ id: allocationRuns.id })
    .from(allocationRuns)
    .where(and(eq(allocationRuns.companyId, actor.companyId), eq(allocationRuns.operationId, id)))
    .limit(1)
  if (run)
    throw new AppError('conflict', { message: 'Une répartition a été calculée\u00a0: l’opération est conservée.' })
  const { rows } = await tx.execute(sql`
    select 1 from participations p
     where p.company_id = ${actor.companyId} and p.operation_id = ${id}
       and exists (select 1 from curve_days d
                    where d.company_id = p.company_id and d.point_id = p.point_id
                      and d.day >= p.starts_on and d.day < coalesce(p.ends_on, 'infinity'))
     limit 1`)
  if (rows.length)
    throw new AppError('conflict', {
      message: 'Des relevés ont été reçus pour ses points\u00a0: l’opération est conservée.',
    })
}

/** Creates the operation and rolls back, so that it reports exactly what creating it would refuse. */
export async function checkOperation(
  tx: Db,
  actor: Actor,
  draft: OperationInput,
): Promise<{ path: string; message: string }[]> {
  await tx.execute(sql`savepoint checked`)
  try {
    await createOperation(tx, actor, draft)
    return []
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    return error.issues ?? [{ path: '', message: error.message }]
  } finally {
    await tx.execute(sql`rollback to savepoint checked`)
  }
}

type OperationEventSubject = Pick<Operation, 'id' | 'name' | 'status'>
const toEventData = ({ id, name, status }: OperationEventSubject) => ({ operationId: id, name, status })

const recordOperationCreated = (tx: Db, companyId: number, operation: OperationEventSubject) =>
  recordEvent(tx, { companyId, name: 'operation.created', object: operation.id, data: toEventData(operation) })

/** `days` are those whose figures may have changed. */
const recordOperationUpdated = (
  tx: Db,
  companyId: number,
  operation: OperationEventSubject,
  days: { from: string; to: null } | null,
) =>
  recordEvent(tx, {
    companyId,
    name: 'operation.updated',
    object: operation.id,
    data: { ...toEventData(operation), days },
  })

export function recordOperationStatusChanged(tx: Db, companyId: number, operation: OperationEventSubject, on: string) {
  const data = { ...toEventData(operation), on }
  return recordEvent(tx, { companyId, name: 'operation.status-changed', object: operation.id, data })
}
