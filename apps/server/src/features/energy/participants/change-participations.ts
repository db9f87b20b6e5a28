import type {
  participations as endpoints,
  Participation,
  ParticipationDates,
  ParticipationDraft,
  ParticipationTransfer,
} from '@voisol/contract/points'
import { formatFrenchDay } from '@voisol/file-formats/french'
import { and, eq, ne, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { requireVisibleOperation } from '../../../core/access-scopes.ts'
import type { Db } from '../../../db/client.ts'
import { operations, participants, participations, points } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { expandBatteryLine, listBatteryCounterparts } from './batteries.ts'
import { lockParticipant, requireParticipant } from './edit-participant.ts'
import { createOrUpdatePoint } from './edit-points.ts'
import { anyOfArray, NAMED_PARTICIPATION_COLUMNS, PARTICIPATION_JOINS } from './enrolment-data.ts'
import { participationScope } from './participant-scope.ts'
import { recordParticipationChange } from './participation-events.ts'
import { loadParticipation } from './participation-queries.ts'
import {
  checkParticipationDays,
  describeOverlap,
  getChangedRange,
  lockEnrolments,
  type NamedParticipation,
  type ParticipationDays,
} from './participation-rules.ts'

type ParticipationInput = z.output<typeof ParticipationDraft>
type UpdateParticipationInput = z.output<typeof ParticipationDates>
type ParticipationRow = typeof participations.$inferSelect

const isThisParticipation = (actor: Actor, id: string) => and(participationScope(actor), eq(participations.id, id))

/** Locks a participation until the transaction ends, after other enrolment changes of the company. */
async function lockParticipation(tx: Db, actor: Actor, id: string): Promise<ParticipationRow> {
  await lockEnrolments(tx, actor.companyId)
  const [row] = await tx.select().from(participations).where(isThisParticipation(actor, id)).for('update')
  if (!row) throw new AppError('not-found')
  return row
}

/** Describes a conflict, without the names that the actor may not see. */
const hideForeignNames = <T extends Pick<NamedParticipation, 'operationId' | 'operationName' | 'participantName'>>(
  { operationIds }: Actor,
  participation: T,
): T =>
  operationIds && !operationIds.includes(participation.operationId)
    ? { ...participation, operationName: 'une autre opération', participantName: 'une autre personne' }
    : participation

/** The other participations of a point, with the names needed for a refusal. */
const listOtherParticipations = async (tx: Db, actor: Actor, pointId: string, exceptId?: string) => {
  const rows = await tx
    .select(NAMED_PARTICIPATION_COLUMNS)
    .from(participations)
    .innerJoin(points, PARTICIPATION_JOINS.point)
    .innerJoin(operations, PARTICIPATION_JOINS.operation)
    .innerJoin(participants, PARTICIPATION_JOINS.participant)
    .where(
      and(
        eq(participations.companyId, actor.companyId),
        eq(participations.pointId, pointId),
        exceptId ? ne(participations.id, exceptId) : undefined,
      ),
    )
    .orderBy(participations.startsOn)
  return rows.map((held) => hideForeignNames(actor, held))
}

type PointInOperation = { operationId: string; pointId: string; id?: string }

/** Throws unless the point is free on these days and they are within the operation. */
async function requirePointFree(
  tx: Db,
  actor: Actor,
  { operationId, pointId, id }: PointInOperation,
  span: ParticipationDays,
) {
  const operation = await requireVisibleOperation(tx, actor, operationId)
  const [fault] = checkParticipationDays(operation, span)
  if (fault) throw fieldError(fault.field, fault.message)
  const overlap = describeOverlap(operationId, span, await listOtherParticipations(tx, actor, pointId, id))
  if (overlap) throw fieldError(id ? 'startsOn' : 'prm', overlap, 'conflict')
}

export async function createParticipation(tx: Db, actor: Actor, input: ParticipationInput): Promise<Participation> {
  const { operationId, participantId, prm, direction, storage, point, ...dates } = input
  const { companyId } = actor
  await lockEnrolments(tx, companyId)
  await requireVisibleOperation(tx, actor, operationId)
  const { postalCode, city } = await lockParticipant(tx, actor, participantId)
  const participationIds: string[] = []
  for (const line of expandBatteryLine({ prm, direction, storage, postalCode, city, ...point })) {
    const pointId = await createOrUpdatePoint(tx, actor, line)
    await requirePointFree(tx, actor, { operationId, pointId }, dates)
    const [row] = await tx
      .insert(participations)
      .values({ companyId, operationId, participantId, pointId, ...dates })
      .returning({ id: participations.id })
    if (row) participationIds.push(row.id)
  }
  const after = await loadParticipation(tx, actor, participationIds[0] ?? '')
  await recordParticipationChange(tx, 'started', {
    companyId,
    operationId,
    participationIds,
    changed: [getChangedRange(null, dates)],
  })
  return after
}

/** Locks a participation and, for a battery, its other direction: both change together. */
async function lockWithCounterparts(
  tx: Db,
  actor: Actor,
  id: string,
): Promise<[ParticipationRow, ...ParticipationRow[]]> {
  const row = await lockParticipation(tx, actor, id)
  const twins = await listBatteryCounterparts(tx, actor.companyId, [id])
  const others: ParticipationRow[] = []
  for (const twin of twins) others.push(await lockParticipation(tx, actor, twin))
  return [row, ...others]
}

export async function updateParticipation(tx: Db, actor: Actor, id: string, input: UpdateParticipationInput) {
  const sides = await lockWithCounterparts(tx, actor, id)
  const [row] = sides
  requireCurrentVersion(row, input)
  const { version: _, ...dates } = input
  const before = await loadParticipation(tx, actor, id)
  for (const side of sides) {
    await requirePointFree(tx, actor, side, dates)
    await updateParticipationRow(tx, actor, side.id, dates)
  }
  const after = await loadParticipation(tx, actor, id)
  const participationIds = sides.map((side) => side.id)
  await recordParticipationChange(tx, 'changed', { ...row, participationIds, changed: [getChangedRange(row, dates)] })
  return { before, after }
}

async function updateParticipationRow(tx: Db, actor: Actor, id: string, dates: Partial<ParticipationRow>) {
  await tx
    .update(participations)
    .set({ ...dates, version: sql`${participations.version} + 1` })
    .where(isThisParticipation(actor, id))
}

/** A participation used by a definitive run can be ended but not removed. */
export async function removeParticipation(tx: Db, actor: Actor, id: string): Promise<Participation> {
  const sides = await lockWithCounterparts(tx, actor, id)
  const [row] = sides
  const before = await loadParticipation(tx, actor, id)
  const pointIds = sides.map((side) => side.pointId)
  const { rows } = await tx.execute(sql`
    select 1 from allocation_runs r
     where r.company_id = ${actor.companyId} and r.operation_id = ${row.operationId}
       and r.kind = 'definitive' and r.status = 'done'
       and r.ends_on > ${row.startsOn}::date and (${row.endsOn}::date is null or r.starts_on < ${row.endsOn}::date)
       and exists (select 1 from allocation_days d
          where d.company_id = r.company_id and d.run_id = r.id and d.point_id = ${anyOfArray(pointIds, 'uuid')}) limit 1`)
  if (rows.length)
    throw new AppError('conflict', {
      message:
        'Cette participation a compté dans une répartition définitive\u00a0: indiquez plutôt son jour de sortie.',
    })
  for (const side of sides) await tx.delete(participations).where(isThisParticipation(actor, side.id))
  const participationIds = sides.map((side) => side.id)
  await recordParticipationChange(tx, 'removed', { ...row, participationIds, changed: [getChangedRange(row, null)] })
  return before
}

type ChangeParticipationsInput = Omit<z.output<typeof endpoints.bulk.body>, 'shown' | 'anyway'>
type BulkReportLine = z.infer<typeof endpoints.bulk.response>['lines'][number]
type ChangeableParticipation = NamedParticipation & {
  prm: string
  noticeOn: string | null
  version: number
  frame: ParticipationDays | { startsOn: null; endsOn: string | null }
}
type PlannedChange = { line: BulkReportLine; held: ChangeableParticipation; span: ParticipationDays }

const selectChangeable = (tx: Db, actor: Actor, ids: string[]) =>
  tx
    .select({
      ...NAMED_PARTICIPATION_COLUMNS,
      prm: points.prm,
      noticeOn: participations.noticeOn,
      version: participations.version,
      frame: { startsOn: operations.startsOn, endsOn: operations.endsOn },
    })
    .from(participations)
    .innerJoin(points, PARTICIPATION_JOINS.point)
    .innerJoin(operations, PARTICIPATION_JOINS.operation)
    .innerJoin(participants, PARTICIPATION_JOINS.participant)
    .where(
      and(
        eq(participations.companyId, actor.companyId),
        sql`${participations.pointId} in (select point_id from participations
          where company_id = ${actor.companyId} and id = ${anyOfArray(ids, 'uuid')})`,
      ),
    )

function planChange(
  participation: ChangeableParticipation,
  others: NamedParticipation[],
  { change, on, noticeOn }: ChangeParticipationsInput,
): PlannedChange {
  const span =
    change === 'entry'
      ? { startsOn: on, endsOn: participation.endsOn }
      : { startsOn: participation.startsOn, endsOn: on }
  const label = `${participation.participantName} (${participation.prm})`
  const isUnchanged =
    span.startsOn === participation.startsOn &&
    span.endsOn === participation.endsOn &&
    noticeOn === participation.noticeOn
  const operationDates = { id: participation.operationId, name: participation.operationName, ...participation.frame }
  const fault = isUnchanged
    ? `Rien à changer\u00a0: ${change === 'entry' ? 'l’entrée' : 'la sortie'} est déjà le ${formatFrenchDay(on)}.`
    : (checkParticipationDays(operationDates, span)[0]?.message ??
      describeOverlap(participation.operationId, span, others))
  const word = change === 'entry' ? 'Entrée' : 'Sortie'
  const line: BulkReportLine = fault
    ? { id: participation.id, label, outcome: 'refused', message: fault }
    : { id: participation.id, label, outcome: 'changed', message: `${word} le ${formatFrenchDay(on)}.` }
  return { line, held: participation, span }
}

/** Each line is planned after those before it, so that two cannot take one point on the same days. */
function planChanges(actor: Actor, all: ChangeableParticipation[], input: ChangeParticipationsInput): PlannedChange[] {
  const byId = new Map(all.map((held) => [held.id, held]))
  const participationsByPoint = Map.groupBy<string, NamedParticipation>(all, ({ pointId }) => pointId)
  return [...new Set(input.ids)].map((id) => {
    const held = byId.get(id)
    if (!held || actor.operationIds?.includes(held.operationId) === false) throw new AppError('not-found')
    const others = (participationsByPoint.get(held.pointId) ?? []).filter((other) => other.id !== id)
    const planned = planChange(
      held,
      others.map((other) => hideForeignNames(actor, other)),
      input,
    )
    if (planned.line.outcome === 'changed')
      participationsByPoint.set(held.pointId, [...others, { ...held, ...planned.span }])
    return planned
  })
}

/**
 * Applies entries or exits on one day to many; impossible lines are reported and the others done, or none in a dry run.
 */
export async function changeParticipations(tx: Db, actor: Actor, requestedInput: ChangeParticipationsInput) {
  await lockEnrolments(tx, actor.companyId)
  // The other direction of a battery is included.
  const input = {
    ...requestedInput,
    ids: [...requestedInput.ids, ...(await listBatteryCounterparts(tx, actor.companyId, requestedInput.ids))],
  }
  const planned = planChanges(actor, await selectChangeable(tx, actor, input.ids), input)
  const changed = planned.filter(({ line }) => line.outcome === 'changed')
  if (!input.dryRun && changed.length) await storeChanges(tx, actor, input, changed)
  const lines = planned.map(({ line }) => line)
  const operationIds = [...new Set(changed.map(({ held }) => held.operationId))]
  return { report: { changed: changed.length, refused: lines.length - changed.length, lines }, operationIds }
}

/** Uses the update of a single participation, with all its checks; it moves both directions of a battery. */
async function storeChanges(tx: Db, actor: Actor, { noticeOn }: ChangeParticipationsInput, changed: PlannedChange[]) {
  const meters = new Map(
    changed.map((planned) => [`${planned.held.operationId} ${planned.held.prm} ${planned.held.startsOn}`, planned]),
  )
  for (const { held, span } of meters.values()) {
    const { agreementSignedOn, version } = held
    await updateParticipation(tx, actor, held.id, { ...span, noticeOn, agreementSignedOn, version })
  }
}

type TransferPointInput = z.output<typeof ParticipationTransfer>

function requireWithinParticipation(on: string, { startsOn, endsOn }: ParticipationDays) {
  if (on <= startsOn)
    throw fieldError('on', `Le changement doit suivre l’entrée du titulaire actuel (${formatFrenchDay(startsOn)}).`)
  if (endsOn && on >= endsOn)
    throw fieldError('on', `Le changement doit précéder la sortie du titulaire actuel (${formatFrenchDay(endsOn)}).`)
}

/** Changes the holder on a day: the point stays in the operation without a gap. */
export async function transferPoint(tx: Db, actor: Actor, id: string, input: TransferPointInput) {
  const sides = await lockWithCounterparts(tx, actor, id)
  const [row] = sides
  const { participantId, on, agreementSignedOn } = input
  await requireParticipant(tx, actor, participantId)
  if (participantId === row.participantId)
    throw fieldError('participantId', 'Ce participant est déjà le titulaire de ce point.')
  requireWithinParticipation(on, row)
  const before = await loadParticipation(tx, actor, id)
  const { companyId, operationId, endsOn } = row
  const added: { id: string }[] = []
  for (const { id: side, pointId } of sides) {
    await updateParticipationRow(tx, actor, side, { endsOn: on })
    const values = { companyId, operationId, pointId, participantId, startsOn: on, endsOn, agreementSignedOn }
    added.push(...(await tx.insert(participations).values(values).returning({ id: participations.id })))
  }
  const after = await loadParticipation(tx, actor, added[0]?.id ?? '')
  const changed = [{ from: on, to: endsOn }]
  const participationIds = sides.flatMap((side, at) => [side.id, added[at]?.id ?? []].flat())
  await recordParticipationChange(tx, 'transferred', { companyId, operationId, participationIds, changed })
  return { before, after }
}
