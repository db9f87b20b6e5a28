import type { Consent } from '@voisol/contract/consents'
import { seatName } from '@voisol/contract/points'
import type { Db } from '../../../db/client.ts'
import { frenchDay, frenchNumber, plural } from '../../../french.ts'
import { today } from '../../../today.ts'
import { consentsOf } from '../../energy/consents/consents.ts'
import type { Content, Maker } from './content.ts'
import { type Seat, standingSeats } from './seats.ts'

const dayCell = (day: string | null) => (day ? frenchDay(day) : '')
const kilo = (value: number | null) => (value === null ? null : value / 1000)
const kiloText = (value: number | null) => (value === null ? '' : frenchNumber(value / 1000))
const placeOf = ({ place, address, postalCode, city }: Seat) =>
  place || [address, `${postalCode} ${city}`.trim()].filter(Boolean).join(', ')

/** What the distributor sends back a list for. */
function missingOf(seats: Seat[], consented: (seat: Seat) => Consent | undefined): string[] {
  const lacks = (count: number, what: string) => (count > 0 ? [`${plural(count, 'point', 'points')} ${what}`] : [])
  return [
    ...lacks(seats.filter(({ agreementSignedOn }) => !agreementSignedOn).length, 'sans accord de participation signé'),
    ...lacks(seats.filter((seat) => !consented(seat)).length, 'sans consentement à la collecte en cours'),
    ...lacks(seats.filter((seat) => !placeOf(seat)).length, 'sans adresse'),
    ...lacks(
      seats.filter(({ kind, siren }) => kind === 'organisation' && !siren).length,
      'd’une organisation sans SIREN',
    ),
  ]
}

/** The consent to the collection of readings that holds today, by participant. */
async function collectionOf(db: Db, companyId: number, seats: Seat[]) {
  const kept = await consentsOf(db, companyId, [...new Set(seats.map(({ participantId }) => participantId))])
  const held = kept.filter(
    ({ purpose, state }) => purpose === 'collection' && (state === 'valid' || state === 'expiring'),
  )
  const byId = new Map(held.map((consent) => [consent.participantId, consent]))
  return ({ participantId }: Seat) => byId.get(participantId)
}

const subjectsOf = (seats: Seat[]) => seats.map(({ participationId }) => participationId)

/** A battery is of both lists: it draws and it releases. */
export const consumersAnnex: Maker = async (db, _deps, { companyId }, { operation }): Promise<Content> => {
  const all = await standingSeats(db, companyId, operation.id, today())
  const seats = all.filter(({ direction }) => direction === 'consumption')
  const consented = await collectionOf(db, companyId, seats)
  return {
    header: [
      'Opération',
      'PRM',
      'Nom ou raison sociale',
      'SIREN',
      'Logement ou site',
      'Adresse du point',
      'Segment',
      'Puissance souscrite (kVA)',
      'Batterie',
      'E-mail',
      'Téléphone',
      'Entrée',
      'Sortie',
      'Accord signé le',
      'Consentement jusqu’au',
    ],
    rows: seats.map((seat) => [
      operation.accNumber ?? operation.name,
      seat.prm,
      seat.name,
      seat.siren,
      seat.label,
      placeOf(seat),
      seat.segment,
      kilo(seat.subscribedVa),
      seat.storage ? 'oui' : '',
      seat.email,
      seat.phone,
      dayCell(seat.startsOn),
      dayCell(seat.endsOn),
      dayCell(seat.agreementSignedOn),
      dayCell(consented(seat)?.expiresOn ?? null),
    ]),
    subjects: subjectsOf(seats),
    missing: missingOf(seats, consented),
    sheet: {
      lead: `${plural(seats.length, 'point', 'points')} de soutirage participent à l’opération ou y entreront.`,
      columns: [
        { head: 'PRM', part: 22 },
        { head: 'Consommateur', part: 34 },
        { head: 'Segment', part: 12 },
        { head: 'kVA', part: 8, align: 'end' },
        { head: 'Entrée', part: 14 },
        { head: 'Accord', part: 14 },
      ],
      rows: seats.map((seat) => [
        seat.prm,
        seatName(seat.label, seat.name) + (seat.storage ? ' (batterie)' : ''),
        seat.segment,
        kiloText(seat.subscribedVa),
        dayCell(seat.startsOn),
        dayCell(seat.agreementSignedOn) || 'manquant',
      ]),
    },
  }
}

export const producersAnnex: Maker = async (db, _deps, { companyId }, { operation }): Promise<Content> => {
  const all = await standingSeats(db, companyId, operation.id, today())
  const seats = all.filter(({ direction }) => direction === 'production')
  const consented = await collectionOf(db, companyId, seats)
  const source = ({ storage }: Seat) => (storage ? 'Stockage' : 'Solaire photovoltaïque')
  const watts = seats.reduce((sum, { peakWatts }) => sum + (peakWatts ?? 0), 0)
  return {
    header: [
      'Opération',
      'PRM',
      'Nom ou raison sociale',
      'SIREN',
      'Installation',
      'Adresse du point',
      'Filière',
      'Puissance crête (kWc)',
      'Mise en service',
      'E-mail',
      'Téléphone',
      'Entrée',
      'Sortie',
      'Accord signé le',
    ],
    rows: seats.map((seat) => [
      operation.accNumber ?? operation.name,
      seat.prm,
      seat.name,
      seat.siren,
      seat.label,
      placeOf(seat),
      source(seat),
      kilo(seat.peakWatts),
      dayCell(seat.commissionedOn),
      seat.email,
      seat.phone,
      dayCell(seat.startsOn),
      dayCell(seat.endsOn),
      dayCell(seat.agreementSignedOn),
    ]),
    subjects: subjectsOf(seats),
    missing: [
      ...missingOf(seats, consented),
      ...(seats.some(({ peakWatts, storage }) => !storage && !peakWatts)
        ? ['une installation sans puissance crête']
        : []),
    ],
    sheet: {
      lead: `${plural(seats.length, 'point', 'points')} d’injection, ${kiloText(watts)} kWc au total.`,
      columns: [
        { head: 'PRM', part: 22 },
        { head: 'Producteur', part: 34 },
        { head: 'Filière', part: 18 },
        { head: 'kWc', part: 8, align: 'end' },
        { head: 'Entrée', part: 14 },
        { head: 'Accord', part: 14 },
      ],
      rows: seats.map((seat) => [
        seat.prm,
        seatName(seat.label, seat.name),
        source(seat),
        kiloText(seat.peakWatts),
        dayCell(seat.startsOn),
        dayCell(seat.agreementSignedOn) || 'manquant',
      ]),
    },
  }
}
