import type { BulkAction, BulkLine } from '@voisol/contract/bulk'
import { and, asc, eq, gt, isNull, or, sql } from 'drizzle-orm'
import type { Db } from '../../../../db/client.ts'
import { participations, points } from '../../../../db/schema/index.ts'
import { frenchDay } from '../../../../french.ts'
import type { Actor } from '../../../../http/actor.ts'
import { today } from '../../../../today.ts'
import { anyOf, joined } from '../enrol-known.ts'
import { updateParticipation } from '../participations.ts'
import { participationScope } from '../scope.ts'
import { attempt } from './attempt.ts'
import type { Chosen } from './chosen-people.ts'
import type { Work } from './people-work.ts'

export type DatesAction = Extract<BulkAction, { kind: 'entry' | 'exit' | 'agreement' }>

/** The participations of these people that last or are to come, within one's limit. */
const openOf = (tx: Db, actor: Actor, ids: string[], operationId: string | undefined) =>
  tx
    .select({ row: participations, prm: points.prm })
    .from(participations)
    .innerJoin(points, joined.point)
    .where(
      and(
        participationScope(actor),
        operationId ? eq(participations.operationId, operationId) : undefined,
        or(isNull(participations.endsOn), gt(participations.endsOn, today())),
        sql`${participations.participantId} = ${anyOf(ids, 'uuid')}`,
      ),
    )
    .orderBy(asc(points.prm), asc(participations.startsOn), asc(participations.id))
type Open = Awaited<ReturnType<typeof openOf>>[number]
type Dates = Pick<Open['row'], 'startsOn' | 'endsOn' | 'noticeOn' | 'agreementSignedOn'>

const datesOf = ({ startsOn, endsOn, noticeOn, agreementSignedOn }: Dates): Dates => ({
  startsOn,
  endsOn,
  noticeOn,
  agreementSignedOn,
})

function wanted(row: Dates, action: DatesAction): Dates {
  const now = datesOf(row)
  if (action.kind === 'agreement') return { ...now, agreementSignedOn: action.signedOn }
  const { noticeOn } = action
  return action.kind === 'entry' ? { ...now, startsOn: action.on, noticeOn } : { ...now, endsOn: action.on, noticeOn }
}

const WORDS = { agreement: 'Accord signé', entry: 'Entrée', exit: 'Sortie' }
const said = (action: DatesAction) =>
  `${WORDS[action.kind]} le ${frenchDay(action.kind === 'agreement' ? action.signedOn : action.on)}.`

/** Of one meter that somebody holds: a battery has two of them. */
const seatOf = ({ operationId, participantId, startsOn }: Open['row'], prm: string) =>
  `${operationId} ${participantId} ${prm} ${startsOn}`

/** By the participation's own update: whatever it asks of one, it asks of each of many. */
async function changeOne(
  { tx, actor, moved }: Work & { moved: Set<string> },
  { row, prm }: Open,
  name: string,
  action: DatesAction,
): Promise<BulkLine> {
  const about = { id: row.id, label: `${name} (${prm})` }
  // Both directions of a battery move together: the second is there already.
  if (moved.has(seatOf(row, prm))) return { ...about, outcome: 'done', message: said(action) }
  const next = wanted(row, action)
  if (JSON.stringify(next) === JSON.stringify(datesOf(row)))
    return { ...about, outcome: 'unchanged', message: 'Rien à changer.' }
  const refused = await attempt(tx, () => updateParticipation(tx, actor, row.id, { ...next, version: row.version }))
  if (!refused) moved.add(seatOf(row, prm))
  return refused
    ? { ...about, outcome: 'refused', message: refused.message }
    : { ...about, outcome: 'done', message: said(action) }
}

/** The dates of every open participation of these people, one after the other: two of one point cannot both take the same days. */
export async function changeDates(work: Work, people: Chosen[], operationId: string | undefined, action: DatesAction) {
  const ids = people.map(({ row }) => row.id)
  const open = Map.groupBy(await openOf(work.tx, work.actor, ids, operationId), ({ row }) => row.participantId)
  const lines: BulkLine[] = []
  const moved = new Set<string>()
  for (const { row } of people) {
    const own = open.get(row.id) ?? []
    for (const one of own) lines.push(await changeOne({ ...work, moved }, one, row.name, action))
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
