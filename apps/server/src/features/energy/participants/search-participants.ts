import { hasPermission } from '@voisol/contract/permissions'
import type { SearchHit } from '@voisol/contract/search'
import { and, inArray, type SQL, sql } from 'drizzle-orm'
import {
  getRowLimit,
  type SearchHitLocator,
  type SearchSource,
  type SearchStrategy,
  searchTextColumn,
} from '../../../core/search.ts'
import type { Db } from '../../../db/client.ts'
import { operations, participants, participations, points } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { getToday } from '../../../today.ts'
import { PARTICIPATION_JOINS } from './enrolment-data.ts'
import { participantScope, participationScope, pointScope } from './participant-scope.ts'

type ParticipationKey = 'participantId' | 'pointId'

/** The current or else latest participation of each person or point that the actor may see. */
async function loadLatestParticipations(db: Db, actor: Actor, of: ParticipationKey, ids: string[]) {
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
    .innerJoin(operations, PARTICIPATION_JOINS.operation)
    .innerJoin(participants, PARTICIPATION_JOINS.participant)
    .innerJoin(points, PARTICIPATION_JOINS.point)
    .where(and(participationScope(actor), inArray(column, ids)))
    .orderBy(
      column,
      sql`coalesce(${participations.endsOn} > ${getToday()}::date, true) desc`,
      sql`${participations.startsOn} desc`,
      participations.id,
    )
  return new Map(rows.map((row) => [row.id, row]))
}

const joinDetails = (...parts: (string | undefined)[]) => parts.filter(Boolean).join(' · ')

/** The search columns of a row, as the ranking query names them. */
const toSearchColumns = (look: SearchStrategy, text: SQL<string>) => ({
  text: text.as('text'),
  exact: look.exact(text).as('exact'),
  place: look.rank(text).as('place'),
})
const bestFirstOrder = sql`exact desc, place`

const participantText = searchTextColumn(participants)

export const searchParticipants: SearchSource = async (db, actor, look) => {
  const found = db.$with('found').as(
    db
      .select({
        id: participants.id,
        name: participants.name,
        city: participants.city,
        ...toSearchColumns(look, participantText),
      })
      .from(participants)
      .where(and(participantScope(actor), look.holds(participantText))),
  )
  const rows = await db
    .with(found)
    .select({ id: found.id, name: found.name, city: found.city, text: found.text })
    .from(found)
    .orderBy(bestFirstOrder, found.name, found.id)
    .limit(getRowLimit(look))
  return rows.map(({ id, name, city, text }) => ({
    kind: 'participant',
    id,
    title: name,
    detail: city,
    to: `/participants?participant=${id}`,
    text,
  }))
}

/** Shows the person with their point. */
export const addParticipantDetails: SearchHitLocator = async (db, actor, hits) => {
  const latest = await loadLatestParticipations(
    db,
    actor,
    'participantId',
    hits.map(({ id }) => id),
  )
  return hits.map((hit) => {
    const participation = latest.get(hit.id)
    return { ...hit, detail: participation ? joinDetails(participation.label, participation.operation) : hit.detail }
  })
}

const pointText = searchTextColumn(points)
const DIRECTION_LABELS = { consumption: 'Consommation', production: 'Production' }

export const searchPoints: SearchSource = async (db, actor, look) => {
  const { id, label, prm: number } = points
  const direction = sql<keyof typeof DIRECTION_LABELS>`${points.direction}`.as('side')
  const found = db.$with('found').as(
    db
      .select({ id, number, direction, label, ...toSearchColumns(look, pointText) })
      .from(points)
      .where(and(pointScope(actor), look.holds(pointText))),
  )
  const rows = await db
    .with(found)
    .select({ id: found.id, number: found.number, direction: found.direction, label: found.label, text: found.text })
    .from(found)
    .orderBy(bestFirstOrder, found.number, found.direction)
    .limit(getRowLimit(look))
  return rows.map(({ id, number, direction, label, text }) => ({
    kind: 'point',
    id,
    title: `PRM ${number}`,
    detail: joinDetails(DIRECTION_LABELS[direction], label),
    to: actor.space === 'portal' ? `/client-portal/${direction}?point=${id}` : `/participants?q=${number}`,
    text,
  }))
}

/** Opens the point's curve if the user may read it, otherwise its holder. */
const canOpenCurves = (actor: Actor) =>
  actor.space === 'office' && hasPermission(actor, 'curves.read') && hasPermission(actor, 'operations.read')

export const addPointDetails: SearchHitLocator = async (db, actor, hits) => {
  const latest = await loadLatestParticipations(
    db,
    actor,
    'pointId',
    hits.map(({ id }) => id),
  )
  const curve = ({ id, to }: SearchHit, operationId: string) =>
    canOpenCurves(actor) ? `/companies/${actor.companyId}/operations/${operationId}/load-curves/${id}` : to
  return hits.map((hit) => {
    const participation = latest.get(hit.id)
    if (!participation) return hit
    return {
      ...hit,
      detail: joinDetails(hit.detail, participation.holder, participation.operation),
      to: curve(hit, participation.operationId),
    }
  })
}
