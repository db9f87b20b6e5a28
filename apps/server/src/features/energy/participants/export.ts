import type { Participant } from '@voisol/contract/participants'
import { tableFile } from '../../../files/table-file.ts'

export const ROLES = { consumer: 'Consommateur', producer: 'Producteur', both: 'Consommateur et producteur' } as const
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
  'Portail',
  'IBAN',
  'Mandat',
  'À vérifier',
]

const prms = ({ points }: Participant, direction: string) =>
  points
    .filter((point) => point.direction === direction)
    .map(({ prm }) => prm)
    .join(', ')

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
      PORTAL[one.portal.status],
      one.bank.ibanEnd && `…${one.bank.ibanEnd}`,
      one.bank.mandateReference,
      one.review.join(', '),
    ]),
  )
