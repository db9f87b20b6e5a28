import type { Operation, OperationFinding, OperationOverview, OperationStatus } from '@voisol/contract/operations'
import { findFarthestPoints, findPerimeterProblems, getPerimeterVerdict, isExactPlace } from '@voisol/energy/perimeter'
import { formatFrenchDay } from '@voisol/file-formats/french'
import { and, eq, gt, gte, isNull, lt, or, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { OPERATION_STATUS_LABELS } from '../../../core/labels.ts'
import { pointNameSql } from '../../../core/point-names.ts'
import type { Db } from '../../../db/client.ts'
import { operations, participations } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { getToday } from '../../../today.ts'
import { lockEnrolments } from '../participants/index.ts'
import { recordOperationStatusChanged } from './edit-operation.ts'
import { loadOperation, lockReadableOperation } from './operation-queries.ts'

const ALLOWED_TRANSITIONS: Record<OperationStatus, OperationStatus[]> = {
  draft: ['pending'],
  pending: ['active', 'draft', 'closed'],
  active: ['suspended', 'closed'],
  suspended: ['active', 'closed'],
  closed: [],
}

type ReconciliationStatus = z.infer<typeof OperationOverview>['reconciliation']
/** The reconciliation status with the distributor, by operation. */
export type ReconciliationLoader = (
  db: Db,
  companyId: number,
  operationIds: string[],
) => Promise<Map<string, ReconciliationStatus>>

type OperationPlace = z.infer<typeof OperationOverview>['places'][number] & { commune: string | null }

const isPlaced = ({ latitude, longitude }: OperationPlace) => Number.isFinite(latitude + longitude)

/** Without coordinates, a place is only known by the holder's commune. */
const getCommunePrecision = (place: OperationPlace): Partial<OperationPlace> =>
  !isPlaced(place) && place.commune ? { precision: 'commune' } : {}

/** Points with a current or future participation; unknown coordinates are NaN. */
async function loadPlaces(db: Db, companyId: number, operationId: string): Promise<OperationPlace[]> {
  const { rows } = await db.execute<OperationPlace & { storage: boolean }>(sql`
    select distinct on (d.id) d.id, nullif(h.city, '') as commune, ${pointNameSql(sql`d.label`, sql`h.name`)} as label, d.direction, d.storage, d.precision, d.version,
           coalesce(d.latitude, 'NaN') as latitude, coalesce(d.longitude, 'NaN') as longitude
      from participations p
      join points d on d.company_id = p.company_id and d.id = p.point_id
      join participants h on h.company_id = p.company_id and h.id = p.participant_id
     where p.company_id = ${companyId} and p.operation_id = ${operationId}
       and (p.ends_on is null or p.ends_on > ${getToday()}::date)
       -- A battery is one place, though it counts both ways: they are moved together.
       and not (d.storage and d.direction = 'production')
     order by d.id, p.starts_on`)
  return rows.map(({ storage, ...place }) => ({ ...place, ...getCommunePrecision(place), ...(storage && { storage }) }))
}

/** The extent of an operation, and the perimeter rules it breaks. */
async function loadOperationExtent(db: Db, companyId: number, operation: Operation) {
  const points = await loadPlaces(db, companyId, operation.id)
  const { metres, pair } = findFarthestPoints(points.filter(isExactPlace))
  const { perimeter, zone, totalCapacity } = operation
  const findings = findPerimeterProblems({ perimeter, zone, points, watts: Math.round(totalCapacity * 1000) })
  return {
    places: points.filter(isPlaced),
    unplaced: points.filter((point) => !isPlaced(point)),
    verdict: getPerimeterVerdict(findings),
    spread: pair && { metres: Math.round(metres), from: pair[0].label, to: pair[1].label },
    findings,
  }
}

export async function loadOperationOverview(
  db: Db,
  actor: Actor,
  id: string,
  loadReconciliation: ReconciliationLoader,
): Promise<z.infer<typeof OperationOverview>> {
  const operation = await loadOperation(db, actor, id)
  const extent = await loadOperationExtent(db, actor.companyId, operation)
  const isBeforeService = operation.status !== 'active' && operation.status !== 'closed'
  const steps = isBeforeService ? await listRequirements(db, actor.companyId, operation, extent) : []
  return {
    ...extent,
    nextSteps: steps.map(({ label, done, url }) => ({ label, done, url })),
    transitions: ALLOWED_TRANSITIONS[operation.status],
    reconciliation: (await loadReconciliation(db, actor.companyId, [id])).get(id) ?? null,
  }
}

type ChangeStatusInput = { status: OperationStatus; version: number }

export async function changeOperationStatus(tx: Db, actor: Actor, id: string, { status, version }: ChangeStatusInput) {
  await lockEnrolments(tx, actor.companyId)
  const before = await lockReadableOperation(tx, actor, id)
  requireCurrentVersion(before, { version })
  if (!ALLOWED_TRANSITIONS[before.status].includes(status)) throw buildTransitionError(before, status)
  const day = getToday()
  const change =
    status === 'active'
      ? await requireActivable(tx, actor, before)
      : status === 'closed'
        ? await closeParticipations(tx, actor, before, day)
        : undefined
  await tx
    .update(operations)
    .set({ ...change, status, version: version + 1 })
    .where(and(eq(operations.companyId, actor.companyId), eq(operations.id, id)))
  const after = await loadOperation(tx, actor, id)
  await recordOperationStatusChanged(tx, actor.companyId, after, day)
  return { before, after }
}

function buildTransitionError({ status }: Operation, wanted: OperationStatus) {
  const name = (state: OperationStatus) => `«\u00a0${OPERATION_STATUS_LABELS[state]}\u00a0»`
  const possible = ALLOWED_TRANSITIONS[status].map(name).join(', ') || 'aucun autre'
  const message = `Une opération à l’état ${name(status)} ne peut pas passer à ${name(wanted)}\u00a0; états possibles\u00a0: ${possible}.`
  return new AppError('invalid-transition', { message })
}

async function requireActivable(tx: Db, actor: Actor, operation: Operation) {
  const extent = await loadOperationExtent(tx, actor.companyId, operation)
  const missing = (await listRequirements(tx, actor.companyId, operation, extent)).filter(({ done }) => !done)
  if (missing.length)
    throw new AppError('invalid-transition', {
      message: `L’opération ne peut pas être activée\u00a0: ${missing.map(({ refusal }) => refusal).join('\u00a0; ')}.`,
    })
  return { startsOn: await loadOperationStart(tx, actor.companyId, operation) }
}

/** Ends the participations, so that other operations can take the points; future ones are removed. */
async function closeParticipations(tx: Db, actor: Actor, operation: Operation, day: string) {
  const open = and(
    eq(participations.companyId, actor.companyId),
    eq(participations.operationId, operation.id),
    or(isNull(participations.endsOn), gt(participations.endsOn, day)),
  )
  await tx.delete(participations).where(and(open, gte(participations.startsOn, day)))
  await tx
    .update(participations)
    .set({ endsOn: day, version: sql`${participations.version} + 1` })
    .where(and(open, lt(participations.startsOn, day)))
  const { startsOn, endsOn } = operation
  const alreadyOver = endsOn !== null && endsOn < day
  const neverBegan = startsOn !== null && startsOn >= day
  return { endsOn: alreadyOver || neverBegan ? endsOn : day }
}

/** What an operation needs to be activated, as a checklist item and as the refusal when missing. */
type Requirement = { label: string; done: boolean; url: string; refusal: string }

/** The start day of an operation: its own, otherwise its first participation or today, whichever comes first. */
async function loadOperationStart(db: Db, companyId: number, { id, startsOn }: Operation): Promise<string> {
  if (startsOn) return startsOn
  const { rows } = await db.execute<{ first: string }>(sql`
    select least(min(starts_on), ${getToday()}::date)::text as first
      from participations where company_id = ${companyId} and operation_id = ${id}`)
  return rows[0]?.first ?? getToday()
}

async function hasAdoptedKeyOn(db: Db, companyId: number, operationId: string, day: string): Promise<boolean> {
  const { rows } = await db.execute(sql`
    select 1 from keys where company_id = ${companyId} and operation_id = ${operationId}
       and status = 'adopted' and starts_on <= ${day}::date limit 1`)
  return rows.length > 0
}

type PerimeterFindings = z.infer<typeof OperationFinding>[]

async function listRequirements(
  db: Db,
  companyId: number,
  operation: Operation,
  { findings, verdict }: { findings: PerimeterFindings; verdict: 'fine' | 'unsure' | 'refused' },
): Promise<Requirement[]> {
  const { id, accNumber, producers, consumers } = operation
  const start = await loadOperationStart(db, companyId, operation)
  const refused = findings.filter((finding) => finding.severity === 'refused')
  const unsure = verdict === 'unsure'
  const detail = `/acc-operations/${id}`
  const people = `${detail}/participants`
  return [
    {
      label: 'Numéro d’opération attribué par le gestionnaire de réseau',
      done: accNumber !== null,
      url: detail,
      refusal: 'il manque le numéro d’opération (ACC et huit chiffres)',
    },
    { label: 'Au moins un producteur', done: producers > 0, url: people, refusal: 'il manque un producteur' },
    { label: 'Au moins un consommateur', done: consumers > 0, url: people, refusal: 'il manque un consommateur' },
    {
      label: `Clé de répartition en vigueur au ${formatFrenchDay(start)}`,
      done: await hasAdoptedKeyOn(db, companyId, id, start),
      url: `${detail}/energy-distribution`,
      refusal: `aucune clé de répartition n’est en vigueur au ${formatFrenchDay(start)}`,
    },
    {
      label: unsure
        ? 'Périmètre et puissance\u00a0: rien de refusé, la distance reste à vérifier'
        : 'Périmètre et puissance conformes',
      done: refused.length === 0,
      url: people,
      refusal: refused.map(({ message }) => message.replace(/\.$/, '')).join(', '),
    },
  ]
}
