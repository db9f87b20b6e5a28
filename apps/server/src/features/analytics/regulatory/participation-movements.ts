import { formatDwellingName } from '@voisol/contract/points'
import type { AllocationMethod } from '@voisol/contract/primitives'
import { formatCount, formatFrenchDay } from '@voisol/file-formats/french'
import { addDays } from '@voisol/money/days'
import { and, asc, eq, gt, gte, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { KEY_METHOD_LABELS } from '../../../core/labels.ts'
import type { Db } from '../../../db/client.ts'
import { keys, participants, participations, points } from '../../../db/schema/index.ts'
import { loadSettingsOn } from '../../billing/settings/index.ts'
import { type ExportBuilder, type ExportContent, getMonthRange } from './export-content.ts'

/** A change that takes effect on a day, and must be notified to the distributor before. */
export type Movement = {
  id: string
  operationId: string
  on: string
  what: 'entry' | 'exit' | 'holder' | 'key'
  prm: string
  name: string
  side: string
  /** The day of the notice, as stored on the participation. */
  noticeOn: string | null
}
export const MOVEMENT_LABELS: Record<Movement['what'], string> = {
  entry: 'Entrée',
  exit: 'Sortie',
  holder: 'Changement de titulaire',
  key: 'Nouvelle clé',
}

/** A notice dated before the participation began was about the entry, not about the exit. */
const isNoticeOfEntry = ({ noticeOn, startsOn }: RegulatoryParticipation) => noticeOn !== null && noticeOn < startsOn

const toMovement = (participation: RegulatoryParticipation, on: string, what: Movement['what']): Movement => ({
  id: participation.participationId,
  operationId: participation.operationId,
  on,
  what,
  prm: participation.prm,
  name: formatDwellingName(participation.label, participation.name),
  side: participation.direction === 'production' ? 'Injection' : 'Soutirage',
  noticeOn: what === 'exit' && isNoticeOfEntry(participation) ? null : participation.noticeOn,
})

/** When a point changes holder on a day, exit and entry are one movement. */
export function buildParticipationMovements(
  participations: RegulatoryParticipation[],
  from: string,
  to: string,
): Movement[] {
  const isWithin = (day: string | null): day is string => day !== null && day >= from && day < to
  const isSamePlace = (a: RegulatoryParticipation, b: RegulatoryParticipation) =>
    a.pointId === b.pointId && a.operationId === b.operationId
  const hasPredecessor = (seat: RegulatoryParticipation) =>
    participations.some((one) => isSamePlace(one, seat) && one.endsOn === seat.startsOn)
  const hasSuccessor = (seat: RegulatoryParticipation) =>
    participations.some((one) => isSamePlace(one, seat) && one.startsOn === seat.endsOn)
  return participations
    .flatMap((seat) => [
      ...(isWithin(seat.startsOn) ? [toMovement(seat, seat.startsOn, hasPredecessor(seat) ? 'holder' : 'entry')] : []),
      ...(isWithin(seat.endsOn) && !hasSuccessor(seat) ? [toMovement(seat, seat.endsOn, 'exit')] : []),
    ])
    .sort((a, b) => (a.on === b.on ? a.prm.localeCompare(b.prm) : a.on < b.on ? -1 : 1))
}

async function listKeyMovements(db: Db, companyId: number, from: string, to: string) {
  const rows = await db
    .select({ id: keys.id, operationId: keys.operationId, number: keys.number, method: keys.method, on: keys.startsOn })
    .from(keys)
    .where(
      and(
        eq(keys.companyId, companyId),
        eq(keys.status, 'adopted'),
        // The first key is part of the initial convention, and is not a change.
        gt(keys.number, 1),
        gte(keys.startsOn, from),
        lt(keys.startsOn, to),
      ),
    )
    .orderBy(asc(keys.startsOn))
  return rows.map(({ number, method, ...row }): Movement => {
    // The column only stores methods of the contract.
    const name = `Clé n° ${number}, ${KEY_METHOD_LABELS[method as AllocationMethod].toLowerCase()}`
    return { ...row, what: 'key', prm: '', name, side: '', noticeOn: null }
  })
}

/** Every movement of a company over a period, in order. */
export async function listMovements(db: Db, companyId: number, from: string, to: string): Promise<Movement[]> {
  const participationMovements = buildParticipationMovements(
    await listMovingParticipations(db, companyId, from, to),
    from,
    to,
  )
  return [...participationMovements, ...(await listKeyMovements(db, companyId, from, to))].sort((a, b) =>
    a.on < b.on ? -1 : Number(a.on > b.on),
  )
}

export const buildMovementsNotice: ExportBuilder = async (
  db,
  _deps,
  { companyId },
  { operation, period },
): Promise<ExportContent> => {
  const { from, to } = getMonthRange(period)
  const all = await listMovements(db, companyId, from, to)
  const movements = all.filter(({ operationId }) => operationId === operation.id)
  const settings = await loadSettingsOn(db, companyId, from)
  const before = settings['duty.movementDays'].value
  const toNoticeCells = (move: Movement) => [
    formatFrenchDay(move.on),
    MOVEMENT_LABELS[move.what],
    move.prm,
    move.name,
    move.side,
    formatFrenchDay(addDays(move.on, -before)),
    move.noticeOn ? formatFrenchDay(move.noticeOn) : '',
  ]
  return {
    header: ['Effet', 'Mouvement', 'PRM', 'Nom', 'Sens', 'À annoncer avant le', 'Annoncé le'],
    rows: movements.map(toNoticeCells),
    subjects: movements.map(({ id, what }) => `${what}:${id}`),
    missing: [],
    sheet: {
      lead:
        movements.length > 0
          ? `${formatCount(movements.length, 'mouvement', 'mouvements')}, à annoncer au moins ${before} jours avant leur effet.`
          : 'Aucun mouvement ce mois-ci.',
      columns: [
        { head: 'Effet', part: 13 },
        { head: 'Mouvement', part: 20 },
        { head: 'PRM', part: 20 },
        { head: 'Nom', part: 32 },
        { head: 'À annoncer avant le', part: 15 },
      ],
      rows: movements.map((move) => {
        const [on = '', what = '', prm = '', name = '', , due = ''] = toNoticeCells(move)
        return [on, what, prm, name, due]
      }),
    },
  }
}

const PARTICIPATION_COLUMNS = {
  participationId: participations.id,
  operationId: participations.operationId,
  participantId: participants.id,
  pointId: points.id,
  prm: points.prm,
  label: points.label,
  direction: points.direction,
  storage: points.storage,
  segment: points.segment,
  subscribedVa: points.subscribedVa,
  peakWatts: points.peakWatts,
  commissionedOn: points.commissionedOn,
  place: points.address,
  name: participants.name,
  kind: participants.kind,
  siren: participants.siren,
  email: participants.email,
  phone: participants.phone,
  address: participants.address,
  postalCode: participants.postalCode,
  city: participants.city,
  startsOn: participations.startsOn,
  endsOn: participations.endsOn,
  noticeOn: participations.noticeOn,
  agreementSignedOn: participations.agreementSignedOn,
}
export type RegulatoryParticipation = Awaited<ReturnType<typeof selectParticipations>>[number]

const selectParticipations = (db: Db, where: SQL | undefined) =>
  db
    .select(PARTICIPATION_COLUMNS)
    .from(participations)
    .innerJoin(points, and(eq(points.companyId, participations.companyId), eq(points.id, participations.pointId)))
    .innerJoin(
      participants,
      and(eq(participants.companyId, participations.companyId), eq(participants.id, participations.participantId)),
    )
    .where(where)
    .orderBy(asc(sql`fold(${participants.name})`), asc(points.prm), asc(participations.startsOn))

const isOfOperation = (companyId: number, operationId: string) =>
  and(eq(participations.companyId, companyId), eq(participations.operationId, operationId))

/** Past and present participations, by name. */
export const listParticipationsOfOperation = (db: Db, companyId: number, operationId: string) =>
  selectParticipations(db, isOfOperation(companyId, operationId))

/** Current and future participations: past members are no longer in the convention. */
export const listCurrentParticipations = (db: Db, companyId: number, operationId: string, day: string) =>
  selectParticipations(
    db,
    and(isOfOperation(companyId, operationId), or(isNull(participations.endsOn), gt(participations.endsOn, day))),
  )

/** Participations of all operations that begin or end in the period. */
const listMovingParticipations = (db: Db, companyId: number, from: string, to: string) =>
  selectParticipations(
    db,
    and(
      eq(participations.companyId, companyId),
      or(
        and(gte(participations.startsOn, from), lt(participations.startsOn, to)),
        and(gte(participations.endsOn, from), lt(participations.endsOn, to)),
      ),
    ),
  )
