import type { BulkAction, BulkLine } from '@voisol/contract/bulk'
import { and, asc, eq, gt, isNull, or, sql } from 'drizzle-orm'
import type { Db } from '../../../../db/client.ts'
import { participations, points } from '../../../../db/schema/index.ts'
import { formatFrenchDay } from '../../../../french.ts'
import type { Actor } from '../../../../http/actor.ts'
import { getToday } from '../../../../today.ts'
import { anyOfArray, PARTICIPATION_JOINS } from '../enrol-known.ts'
import { updateParticipation } from '../participations.ts'
import { participationScope } from '../scope.ts'
import { tryInSavepoint } from './attempt.ts'
import type { SelectedParticipant } from './chosen-people.ts'
import type { BulkWorkContext } from './people-work.ts'

export type DatesAction = Extract<BulkAction, { kind: 'entry' | 'exit' | 'agreement' }>

/** Current and future participations of these people, within the actor's limit. */
const listOpenParticipations = (tx: Db, actor: Actor, ids: string[], operationId: string | undefined) =>
  tx
    .select({ row: participations, prm: points.prm })
    .from(participations)
    .innerJoin(points, PARTICIPATION_JOINS.point)
    .where(
      and(
        participationScope(actor),
        operationId ? eq(participations.operationId, operationId) : undefined,
        or(isNull(participations.endsOn), gt(participations.endsOn, getToday())),
        sql`${participations.participantId} = ${anyOfArray(ids, 'uuid')}`,
      ),
    )
    .orderBy(asc(points.prm), asc(participations.startsOn), asc(participations.id))
type OpenParticipation = Awaited<ReturnType<typeof listOpenParticipations>>[number]
type ParticipationDatesValues = Pick<OpenParticipation['row'], 'startsOn' | 'endsOn' | 'noticeOn' | 'agreementSignedOn'>

const pickDates = ({
  startsOn,
  endsOn,
  noticeOn,
  agreementSignedOn,
}: ParticipationDatesValues): ParticipationDatesValues => ({
  startsOn,
  endsOn,
  noticeOn,
  agreementSignedOn,
})

function applyDatesAction(row: ParticipationDatesValues, action: DatesAction): ParticipationDatesValues {
  const now = pickDates(row)
  if (action.kind === 'agreement') return { ...now, agreementSignedOn: action.signedOn }
  const { noticeOn } = action
  return action.kind === 'entry' ? { ...now, startsOn: action.on, noticeOn } : { ...now, endsOn: action.on, noticeOn }
}

const ACTION_LABELS = { agreement: 'Accord signé', entry: 'Entrée', exit: 'Sortie' }
const describeAction = (action: DatesAction) =>
  `${ACTION_LABELS[action.kind]} le ${formatFrenchDay(action.kind === 'agreement' ? action.signedOn : action.on)}.`

/** The same meter of a holder: a battery has two participations. */
const getMeterKey = ({ operationId, participantId, startsOn }: OpenParticipation['row'], prm: string) =>
  `${operationId} ${participantId} ${prm} ${startsOn}`

/** Uses the update of a single participation, with all its checks. */
async function changeParticipationDates(
  { tx, actor, moved }: BulkWorkContext & { moved: Set<string> },
  { row, prm }: OpenParticipation,
  name: string,
  action: DatesAction,
): Promise<BulkLine> {
  const about = { id: row.id, label: `${name} (${prm})` }
  // Both directions of a battery moved together, so the second is done already.
  if (moved.has(getMeterKey(row, prm))) return { ...about, outcome: 'done', message: describeAction(action) }
  const next = applyDatesAction(row, action)
  if (JSON.stringify(next) === JSON.stringify(pickDates(row)))
    return { ...about, outcome: 'unchanged', message: 'Rien à changer.' }
  const refused = await tryInSavepoint(tx, () =>
    updateParticipation(tx, actor, row.id, { ...next, version: row.version }),
  )
  if (!refused) moved.add(getMeterKey(row, prm))
  return refused
    ? { ...about, outcome: 'refused', message: refused.message }
    : { ...about, outcome: 'done', message: describeAction(action) }
}

/**
 * Changes the dates of every open participation one after the other, so that two cannot take one point on the same
 * days.
 */
export async function changeDatesOfParticipants(
  work: BulkWorkContext,
  people: SelectedParticipant[],
  operationId: string | undefined,
  action: DatesAction,
) {
  const ids = people.map(({ row }) => row.id)
  const open = Map.groupBy(
    await listOpenParticipations(work.tx, work.actor, ids, operationId),
    ({ row }) => row.participantId,
  )
  const lines: BulkLine[] = []
  const moved = new Set<string>()
  for (const { row } of people) {
    const own = open.get(row.id) ?? []
    for (const one of own) lines.push(await changeParticipationDates({ ...work, moved }, one, row.name, action))
    if (own.length === 0)
      lines.push({
        id: row.id,
        label: row.name,
        outcome: 'refused',
        message: 'Aucune participation en cours ou à venir.',
      })
  }
  return lines
}
