import type { Consent } from '@voisol/contract/consents'
import { formatDwellingName } from '@voisol/contract/points'
import type { Db } from '../../../db/client.ts'
import { formatCount, formatFrenchDay, formatFrenchNumber } from '../../../french.ts'
import { getToday } from '../../../today.ts'
import { loadConsents } from '../../energy/consents/consents.ts'
import type { ExportBuilder, ExportContent } from './export-content.ts'
import { listCurrentParticipations, type RegulatoryParticipation } from './participation-movements.ts'

const formatDayCell = (day: string | null) => (day ? formatFrenchDay(day) : '')
const toKilo = (value: number | null) => (value === null ? null : value / 1000)
const formatKilo = (value: number | null) => (value === null ? '' : formatFrenchNumber(value / 1000))
const formatPointAddress = ({ place, address, postalCode, city }: RegulatoryParticipation) =>
  place || [address, `${postalCode} ${city}`.trim()].filter(Boolean).join(', ')

/** Missing data for which the distributor would return the list. */
function listMissingData(
  participations: RegulatoryParticipation[],
  consented: (seat: RegulatoryParticipation) => Consent | undefined,
): string[] {
  const describeLack = (count: number, what: string) =>
    count > 0 ? [`${formatCount(count, 'point', 'points')} ${what}`] : []
  return [
    ...describeLack(
      participations.filter(({ agreementSignedOn }) => !agreementSignedOn).length,
      'sans accord de participation signé',
    ),
    ...describeLack(
      participations.filter((seat) => !consented(seat)).length,
      'sans consentement à la collecte en cours',
    ),
    ...describeLack(participations.filter((seat) => !formatPointAddress(seat)).length, 'sans adresse'),
    ...describeLack(
      participations.filter(({ kind, siren }) => kind === 'organisation' && !siren).length,
      'd’une organisation sans SIREN',
    ),
  ]
}

/** The consent to data collection valid today, by participant. */
async function loadCollectionConsents(db: Db, companyId: number, participations: RegulatoryParticipation[]) {
  const consents = await loadConsents(db, companyId, [
    ...new Set(participations.map(({ participantId }) => participantId)),
  ])
  const validConsents = consents.filter(
    ({ purpose, state }) => purpose === 'collection' && (state === 'valid' || state === 'expiring'),
  )
  const byId = new Map(validConsents.map((consent) => [consent.participantId, consent]))
  return ({ participantId }: RegulatoryParticipation) => byId.get(participantId)
}

const listParticipationIds = (seats: RegulatoryParticipation[]) => seats.map(({ participationId }) => participationId)

/** A battery is on both lists, since it consumes and injects. */
export const buildConsumersAnnex: ExportBuilder = async (
  db,
  _deps,
  { companyId },
  { operation },
): Promise<ExportContent> => {
  const all = await listCurrentParticipations(db, companyId, operation.id, getToday())
  const participations = all.filter(({ direction }) => direction === 'consumption')
  const getConsent = await loadCollectionConsents(db, companyId, participations)
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
    rows: participations.map((seat) => [
      operation.accNumber ?? operation.name,
      seat.prm,
      seat.name,
      seat.siren,
      seat.label,
      formatPointAddress(seat),
      seat.segment,
      toKilo(seat.subscribedVa),
      seat.storage ? 'oui' : '',
      seat.email,
      seat.phone,
      formatDayCell(seat.startsOn),
      formatDayCell(seat.endsOn),
      formatDayCell(seat.agreementSignedOn),
      formatDayCell(getConsent(seat)?.expiresOn ?? null),
    ]),
    subjects: listParticipationIds(participations),
    missing: listMissingData(participations, getConsent),
    sheet: {
      lead: `${formatCount(participations.length, 'point', 'points')} de soutirage participent à l’opération ou y entreront.`,
      columns: [
        { head: 'PRM', part: 22 },
        { head: 'Consommateur', part: 34 },
        { head: 'Segment', part: 12 },
        { head: 'kVA', part: 8, align: 'end' },
        { head: 'Entrée', part: 14 },
        { head: 'Accord', part: 14 },
      ],
      rows: participations.map((seat) => [
        seat.prm,
        formatDwellingName(seat.label, seat.name) + (seat.storage ? ' (batterie)' : ''),
        seat.segment,
        formatKilo(seat.subscribedVa),
        formatDayCell(seat.startsOn),
        formatDayCell(seat.agreementSignedOn) || 'manquant',
      ]),
    },
  }
}

export const buildProducersAnnex: ExportBuilder = async (
  db,
  _deps,
  { companyId },
  { operation },
): Promise<ExportContent> => {
  const all = await listCurrentParticipations(db, companyId, operation.id, getToday())
  const participations = all.filter(({ direction }) => direction === 'production')
  const getConsent = await loadCollectionConsents(db, companyId, participations)
  const source = ({ storage }: RegulatoryParticipation) => (storage ? 'Stockage' : 'Solaire photovoltaïque')
  const watts = participations.reduce((sum, { peakWatts }) => sum + (peakWatts ?? 0), 0)
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
    rows: participations.map((seat) => [
      operation.accNumber ?? operation.name,
      seat.prm,
      seat.name,
      seat.siren,
      seat.label,
      formatPointAddress(seat),
      source(seat),
      toKilo(seat.peakWatts),
      formatDayCell(seat.commissionedOn),
      seat.email,
      seat.phone,
      formatDayCell(seat.startsOn),
      formatDayCell(seat.endsOn),
      formatDayCell(seat.agreementSignedOn),
    ]),
    subjects: listParticipationIds(participations),
    missing: [
      ...listMissingData(participations, getConsent),
      ...(participations.some(({ peakWatts, storage }) => !storage && !peakWatts)
        ? ['une installation sans puissance crête']
        : []),
    ],
    sheet: {
      lead: `${formatCount(participations.length, 'point', 'points')} d’injection, ${formatKilo(watts)} kWc au total.`,
      columns: [
        { head: 'PRM', part: 22 },
        { head: 'Producteur', part: 34 },
        { head: 'Filière', part: 18 },
        { head: 'kWc', part: 8, align: 'end' },
        { head: 'Entrée', part: 14 },
        { head: 'Accord', part: 14 },
      ],
      rows: participations.map((seat) => [
        seat.prm,
        formatDwellingName(seat.label, seat.name),
        source(seat),
        formatKilo(seat.peakWatts),
        formatDayCell(seat.startsOn),
        formatDayCell(seat.agreementSignedOn) || 'manquant',
      ]),
    },
  }
}
