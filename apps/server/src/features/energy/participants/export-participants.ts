import type { Participant } from '@voisol/contract/participants'
import { buildTableFile } from '../../../files/table-file.ts'

const ROLE_LABELS = {
  consumer: 'Consommateur',
  producer: 'Producteur',
  both: 'Consommateur et producteur',
  storage: 'Batterie',
} as const
const STATE_LABELS = { active: 'Actif', upcoming: 'À venir', past: 'Sorti', none: 'Sans participation' } as const
const PORTAL_LABELS = { none: 'Pas invité', invited: 'Invité', active: 'Actif', disabled: 'Désactivé' } as const
const KIND_LABELS = { person: 'Particulier', organisation: 'Organisation' } as const

const PARTICIPANTS_FILE_HEADER = [
  'Nom affiché',
  'Type',
  'Prénom',
  'Nom',
  'SIREN',
  'E-mail',
  'Téléphone',
  'Adresse',
  'Code postal',
  'Ville',
  'Rôle',
  'État',
  'Opérations',
  'PRM de consommation',
  'PRM de production',
  'PRM de batterie',
  'Libellés des points',
  'Portail',
  'IBAN',
  'À vérifier',
]

type ParticipantPoint = Participant['points'][number]
/** Without duplicates: a battery has two points with one number. */
const joinDistinct = (points: ParticipantPoint[], of: 'prm' | 'label') =>
  [...new Set(points.map((point) => point[of]))].filter(Boolean).join(', ')
const listPrms = ({ points }: Participant, direction: string) =>
  joinDistinct(
    points.filter((point) => point.direction === direction && !point.storage),
    'prm',
  )
const listBatteryPrms = ({ points }: Participant) =>
  joinDistinct(
    points.filter(({ storage }) => storage),
    'prm',
  )

export const exportParticipants = (items: Participant[], format: 'csv' | 'xlsx') =>
  buildTableFile(
    'participants',
    format,
    PARTICIPANTS_FILE_HEADER,
    items.map((one) => [
      one.name,
      KIND_LABELS[one.kind],
      one.firstName,
      one.lastName,
      one.siren,
      one.email,
      one.phone,
      one.address,
      one.postalCode,
      one.city,
      one.role ? ROLE_LABELS[one.role] : '',
      STATE_LABELS[one.state],
      one.operations.map(({ name }) => name).join(', '),
      listPrms(one, 'consumption'),
      listPrms(one, 'production'),
      listBatteryPrms(one),
      joinDistinct(one.points, 'label'),
      PORTAL_LABELS[one.portal.status],
      one.bank.ibanEnd && `…${one.bank.ibanEnd}`,
      one.review.join(', '),
    ]),
  )
