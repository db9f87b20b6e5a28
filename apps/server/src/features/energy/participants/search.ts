import { can } from '@voisol/contract/permissions'
import type { SearchHit } from '@voisol/contract/search'
import { and, inArray, type SQL, sql } from 'drizzle-orm'
import { type Look, mostOf, type Place, type Source, textOf } from '../../../core/search.ts'
import type { Db } from '../../../db/client.ts'
import { operations, participants, participations, points } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { today } from '../../../today.ts'
import { joined } from './enrol-known.ts'
import { participantScope, participationScope, pointScope } from './scope.ts'

type Of = 'participantId' | 'pointId'

/** Of each person or point the participation of today, else the latest, as far as the actor sees it. */
async function latestOf(db: Db, actor: Actor, of: Of, ids: string[]) {
  const column = participations[of]
  const rows = await db
    .selectDistinctOn([column], {
      id: column,
      label: points.label,
      holder: participants.name,
      operation: operations.name,
      operationId: operations.id,
    })
    .from(participations)
    .innerJoin(operations, joined.operation)
    .innerJoin(participants, joined.participant)
    .innerJoin(points, joined.point)
    .where(and(participationScope(actor), inArray(column, ids)))
    .orderBy(
      column,
      sql`coalesce(${participations.endsOn} > ${today()}::date, true) desc`,
      sql`${participations.startsOn} desc`,
      participations.id,
    )
  return new Map(rows.map((row) => [row.id, row]))
}

const said = (...parts: (string | undefined)[]) => parts.filter(Boolean).join(' · ')

/** What a look says of a row, under the names by which the best are asked for. */
const seenBy = (look: Look, text: SQL<string>) => ({
  text: text.as('text'),
  exact: look.exact(text).as('exact'),
  place: look.rank(text).as('place'),
})
const bestFirst = sql`exact desc, place`

const person = textOf(participants)

export const searchParticipants: Source = async (db, actor, look) => {
  const found = db.$with('found').as(
    db
      .select({ id: participants.id, name: participants.name, city: participants.city, ...seenBy(look, person) })
      .from(participants)
      .where(and(participantScope(actor), look.holds(person))),
  )
  const rows = await db
    .with(found)
    .select({ id: found.id, name: found.name, city: found.city, text: found.text })
    .from(found)
    .orderBy(bestFirst, found.name, found.id)
    .limit(mostOf(look))
  return rows.map(({ id, name, city, text }) => ({
    kind: 'participant',
    id,
    title: name,
    detail: city,
    to: `/participants?participant=${id}`,
    text,
  }))
}

/** Person and dwelling are named together. */
export const placeParticipants: Place = async (db, actor, hits) => {
  const latest = await latestOf(
    db,
    actor,
    'participantId',
    hits.map(({ id }) => id),
  )
  return hits.map((hit) => {
    const stay = latest.get(hit.id)
    return { ...hit, detail: stay ? said(stay.label, stay.operation) : hit.detail }
  })
}

const prm = textOf(points)
const SIDES = { consumption: 'Consommation', production: 'Production' }

export const searchPoints: Source = async (db, actor, look) => {
  const { id, label, prm: number } = points
  const direction = sql<keyof typeof SIDES>`${points.direction}`.as('side')
  const found = db.$with('found').as(
    db
      .select({ id, number, direction, label, ...seenBy(look, prm) })
      .from(points)
      .where(and(pointScope(actor), look.holds(prm))),
  )
  const rows = await db
    .with(found)
    .select({ id: found.id, number: found.number, direction: found.direction, label: found.label, text: found.text })
    .from(found)
    .orderBy(bestFirst, found.number, found.direction)
    .limit(mostOf(look))
  return rows.map(({ id, number, direction, label, text }) => ({
    kind: 'point',
    id,
    title: `PRM ${number}`,
    detail: said(SIDES[direction], label),
    to: actor.space === 'portal' ? `/client-portal/${direction}?point=${id}` : `/participants?q=${number}`,
    text,
  }))
}

/** The curve of the point where its reader may open it; else the person behind it. */
const opensCurves = (actor: Actor) =>
  actor.space === 'office' && can(actor, 'curves.read') && can(actor, 'operations.read')

export const placePoints: Place = async (db, actor, hits) => {
  const latest = await latestOf(
    db,
    actor,
    'pointId',
    hits.map(({ id }) => id),
  )
  const curve = ({ id, to }: SearchHit, operationId: string) =>
    opensCurves(actor) ? `/companies/${actor.companyId}/operations/${operationId}/load-curves/${id}` : to
  return hits.map((hit) => {
    const stay = latest.get(hit.id)
    if (!stay) return hit
    return { ...hit, detail: said(hit.detail, stay.holder, stay.operation), to: curve(hit, stay.operationId) }
  })
}
