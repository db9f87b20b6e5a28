import type { Participant } from '@voisol/contract/participants'
import { tableFile } from '../../../files/table-file.ts'

export const ROLES = {
  consumer: 'Consommateur',
  producer: 'Producteur',
  both: 'Consommateur et producteur',
  storage: 'Batterie',
} as const
const STATES = { active: 'Actif', upcoming: 'À venir', past: 'Sorti', none: 'Sans participation' } as const
const PORTAL = { none: 'Pas invité', invited: 'Invité', active: 'Actif', disabled: 'Désactivé' } as const
const KINDS = { person: 'Particulier', organisation: 'Organisation' } as const

const HEADER = [
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

type Held = Participant['points'][number]
/** Each once: a battery has two points of one number. */
const told = (points: Held[], of: 'prm' | 'label') =>
  [...new Set(points.map((point) => point[of]))].filter(Boolean).join(', ')
const prms = ({ points }: Participant, direction: string) =>
  told(
    points.filter((point) => point.direction === direction && !point.storage),
    'prm',
  )
const batteries = ({ points }: Participant) =>
  told(
    points.filter(({ storage }) => storage),
    'prm',
  )

export const participantsFile = (items: Participant[], format: 'csv' | 'xlsx') =>
  tableFile(
    'participants',
    format,
    HEADER,
    items.map((one) => [
      one.name,
      KINDS[one.kind],
      one.firstName,
      one.lastName,
      one.siren,
      one.email,
      one.phone,
      one.address,
      one.postalCode,
      one.city,
      one.role ? ROLES[one.role] : '',
      STATES[one.state],
      one.operations.map(({ name }) => name).join(', '),
      prms(one, 'consumption'),
      prms(one, 'production'),
      batteries(one),
      told(one.points, 'label'),
      PORTAL[one.portal.status],
      one.bank.ibanEnd && `…${one.bank.ibanEnd}`,
      one.review.join(', '),
    ]),
  )
