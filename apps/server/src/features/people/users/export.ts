import type { User } from '@voisol/contract/users'
import { buildTableFile } from '../../../files/table-file.ts'

const STATUS_LABELS = { active: 'Actif', invited: 'Invité', disabled: 'Désactivé' } as const
const HEADER = [
  'E-mail',
  'Prénom',
  'Nom',
  'Téléphone',
  'Rôle',
  'État',
  'Double authentification',
  'Dernière connexion',
  'Membre depuis',
]

const DATE_TIME_FORMAT = new Intl.DateTimeFormat('fr-FR', {
  dateStyle: 'short',
  timeStyle: 'short',
  timeZone: 'Europe/Paris',
})
const formatParisTime = (instant: string | null) => (instant ? DATE_TIME_FORMAT.format(new Date(instant)) : '')

export const buildUsersFile = (users: User[], format: 'csv' | 'xlsx') =>
  buildTableFile(
    'utilisateurs',
    format,
    HEADER,
    users.map((user) => [
      user.email,
      user.firstName,
      user.lastName,
      user.phone,
      user.roleName,
      STATUS_LABELS[user.status],
      user.secondFactor,
      formatParisTime(user.lastSignInAt),
      formatParisTime(user.createdAt),
    ]),
  )
