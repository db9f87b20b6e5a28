import { formatDwellingName } from '@voisol/contract/points'
import type { AllocationMethod } from '@voisol/contract/primitives'
import { addDays } from '@voisol/money/days'
import { and, asc, eq, gt, gte, lt } from 'drizzle-orm'
import { KEY_METHOD_LABELS } from '../../../core/labels.ts'
import type { Db } from '../../../db/client.ts'
import { keys } from '../../../db/schema/index.ts'
import { formatCount, formatFrenchDay } from '../../../french.ts'
import { loadSettingsOn } from '../../money/settings/settings.ts'
import type { ExportBuilder, ExportContent } from './content.ts'
import { getMonthRange } from './period.ts'
import { listMovingParticipations, type RegulatoryParticipation } from './seats.ts'

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
