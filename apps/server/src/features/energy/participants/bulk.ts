import type { participations as endpoints } from '@voisol/contract/points'
import { and, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { operations, participants, participations, points } from '../../../db/schema/index.ts'
import { formatFrenchDay } from '../../../french.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { listBatteryCounterparts } from './batteries.ts'
import { anyOfArray, NAMED_PARTICIPATION_COLUMNS, PARTICIPATION_JOINS } from './enrol-known.ts'
import { updateParticipation } from './participations.ts'
import type { ParticipationDays } from './periods.ts'
import {
  checkParticipationDays,
  describeOverlap,
  hideForeignNames,
  lockEnrolments,
  type NamedParticipation,
} from './rules.ts'

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
