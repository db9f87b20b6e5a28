import type { User } from '@voisol/contract/users'
import type { Tone } from '../../ui/badge.tsx'

export const USER_STATUS_LABELS: Record<User['status'], { label: string; tone: Tone }> = {
  active: { label: 'Actif', tone: 'success' },
  invited: { label: 'Invitation en attente', tone: 'warning' },
  disabled: { label: 'Désactivé', tone: 'neutral' },
}
export const toOptions = <K extends string>(labels: Record<K, string>) =>
  Object.entries<string>(labels).map(([value, label]) => ({ value, label }))
export const getUserName = (user: Pick<User, 'firstName' | 'lastName' | 'email'>) =>
  `${user.firstName} ${user.lastName}`.trim() || user.email
