import { seatName } from '@voisol/contract/points'
import type { Method } from '@voisol/contract/primitives'
import { addDays } from '@voisol/money/days'
import { and, asc, eq, gt, gte, lt } from 'drizzle-orm'
import { METHOD_LABELS } from '../../../core/labels.ts'
import type { Db } from '../../../db/client.ts'
import { keys } from '../../../db/schema/index.ts'
import { frenchDay, plural } from '../../../french.ts'
import { settingsOn } from '../../money/settings/settings.ts'
import type { Content, Maker } from './content.ts'
import { monthSpan } from './period.ts'
import { movingSeats, type Seat } from './seats.ts'

/** Something that takes effect on a day and of which the distributor is told before. */
export type Movement = {
  id: string
  operationId: string
  on: string
  what: 'entry' | 'exit' | 'holder' | 'key'
  prm: string
  name: string
  side: string
  /** When it was told, as the participation says. */
  noticeOn: string | null
}
export const MOVEMENT_WORDS: Record<Movement['what'], string> = {
  entry: 'Entrée',
  exit: 'Sortie',
  holder: 'Changement de titulaire',
  key: 'Nouvelle clé',
}

/** A notice that was given before the stay began is of the entry: it does not tell of the exit. */
const isOfEntry = ({ noticeOn, startsOn }: Seat) => noticeOn !== null && noticeOn < startsOn

const seatMovement = (seat: Seat, on: string, what: Movement['what']): Movement => ({
  id: seat.participationId,
  operationId: seat.operationId,
  on,
  what,
  prm: seat.prm,
  name: seatName(seat.label, seat.name),
  side: seat.direction === 'production' ? 'Injection' : 'Soutirage',
  noticeOn: what === 'exit' && isOfEntry(seat) ? null : seat.noticeOn,
})

/** A point that one leaves on the day another enters with it changes hands: one movement, not two. */
export function seatMovements(seats: Seat[], from: string, to: string): Movement[] {
  const within = (day: string | null): day is string => day !== null && day >= from && day < to
  const same = (a: Seat, b: Seat) => a.pointId === b.pointId && a.operationId === b.operationId
  const follows = (seat: Seat) => seats.some((one) => same(one, seat) && one.endsOn === seat.startsOn)
  const followed = (seat: Seat) => seats.some((one) => same(one, seat) && one.startsOn === seat.endsOn)
  return seats
    .flatMap((seat) => [
      ...(within(seat.startsOn) ? [seatMovement(seat, seat.startsOn, follows(seat) ? 'holder' : 'entry')] : []),
      ...(within(seat.endsOn) && !followed(seat) ? [seatMovement(seat, seat.endsOn, 'exit')] : []),
    ])
    .sort((a, b) => (a.on === b.on ? a.prm.localeCompare(b.prm) : a.on < b.on ? -1 : 1))
}

async function keyMovements(db: Db, companyId: number, from: string, to: string) {
  const rows = await db
    .select({ id: keys.id, operationId: keys.operationId, number: keys.number, method: keys.method, on: keys.startsOn })
    .from(keys)
    .where(
      and(
        eq(keys.companyId, companyId),
        eq(keys.status, 'adopted'),
        // The first key begins with the operation: it is of the convention, not a change.
        gt(keys.number, 1),
        gte(keys.startsOn, from),
        lt(keys.startsOn, to),
      ),
    )
    .orderBy(asc(keys.startsOn))
  return rows.map(({ number, method, ...row }): Movement => {
    // The column holds methods of the contract.
    const name = `Clé n° ${number}, ${METHOD_LABELS[method as Method].toLowerCase()}`
    return { ...row, what: 'key', prm: '', name, side: '', noticeOn: null }
  })
}

/** Everything of a company that takes effect over some days, in their order. */
export async function movementsOver(db: Db, companyId: number, from: string, to: string): Promise<Movement[]> {
  const seats = seatMovements(await movingSeats(db, companyId, from, to), from, to)
  return [...seats, ...(await keyMovements(db, companyId, from, to))].sort((a, b) =>
    a.on < b.on ? -1 : Number(a.on > b.on),
  )
}

export const movementsNotice: Maker = async (db, _deps, { companyId }, { operation, period }): Promise<Content> => {
  const { from, to } = monthSpan(period)
  const all = await movementsOver(db, companyId, from, to)
  const moves = all.filter(({ operationId }) => operationId === operation.id)
  const settings = await settingsOn(db, companyId, from)
  const before = settings['duty.movementDays'].value
  const line = (move: Movement) => [
    frenchDay(move.on),
    MOVEMENT_WORDS[move.what],
    move.prm,
    move.name,
    move.side,
    frenchDay(addDays(move.on, -before)),
    move.noticeOn ? frenchDay(move.noticeOn) : '',
  ]
  return {
    header: ['Effet', 'Mouvement', 'PRM', 'Nom', 'Sens', 'À annoncer avant le', 'Annoncé le'],
    rows: moves.map(line),
    subjects: moves.map(({ id, what }) => `${what}:${id}`),
    missing: [],
    sheet: {
      lead:
        moves.length > 0
          ? `${plural(moves.length, 'mouvement', 'mouvements')}, à annoncer au moins ${before} jours avant leur effet.`
          : 'Aucun mouvement ce mois-ci.',
      columns: [
        { head: 'Effet', part: 13 },
        { head: 'Mouvement', part: 20 },
        { head: 'PRM', part: 20 },
        { head: 'Nom', part: 32 },
        { head: 'À annoncer avant le', part: 15 },
      ],
      rows: moves.map((move) => {
        const [on = '', what = '', prm = '', name = '', , due = ''] = line(move)
        return [on, what, prm, name, due]
      }),
    },
  }
}
