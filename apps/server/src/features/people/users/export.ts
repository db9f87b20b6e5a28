import type { User } from '@voisol/contract/users'
import { tableFile } from '../../../files/table-file.ts'

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

const moment = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'short', timeStyle: 'short', timeZone: 'Europe/Paris' })
const inParis = (instant: string | null) => (instant ? moment.format(new Date(instant)) : '')

export const usersFile = (users: User[], format: 'csv' | 'xlsx') =>
  tableFile(
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
      inParis(user.lastSignInAt),
      inParis(user.createdAt),
    ]),
  )
