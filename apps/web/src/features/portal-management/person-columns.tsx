import type { PortalPerson } from '@voisol/contract/portal-management'
import { date, dateTime } from '../../lib/format.ts'
import { Badge } from '../../ui/badge.tsx'
import type { Column } from '../../ui/table.tsx'
import { letterWords, STATES } from './words.ts'

export const NAME: Column<PortalPerson> = {
  header: 'Participant',
  card: 'title',
  sort: 'name',
  cell: ({ name, email }) => (
    <span className="block min-w-48">
      <span className="block font-medium">{name}</span>
      <span className="block text-[0.8125rem] text-ink-soft">{email || 'Sans adresse e-mail'}</span>
    </span>
  ),
}
export const OPERATIONS: Column<PortalPerson> = {
  header: 'Opération',
  card: 'primary',
  cell: ({ operations }) => <span className="block min-w-28">{operations.join(', ') || 'Aucune'}</span>,
}
export const STATE: Column<PortalPerson> = {
  header: 'Invitation',
  card: 'primary',
  sort: 'state',
  cell: ({ state }) => <Badge tone={STATES[state].tone}>{STATES[state].label}</Badge>,
}
export const SENT: Column<PortalPerson> = {
  header: 'Envoyée le',
  card: 'primary',
  sort: 'invitedAt',
  cell: ({ invitedAt, remindedAt }) => (
    <span className="block min-w-36">
      {invitedAt ? date(invitedAt) : 'Jamais'}
      {remindedAt && <span className="block text-[0.8125rem] text-ink-soft">relancée le {date(remindedAt)}</span>}
    </span>
  ),
}
export const SIGNED_IN: Column<PortalPerson> = {
  header: 'Dernière connexion',
  card: 'primary',
  sort: 'lastSignInAt',
  cell: ({ lastSignInAt }) => (lastSignInAt ? dateTime(lastSignInAt) : 'Jamais'),
}
export const VISIT: Column<PortalPerson> = {
  header: 'Dernière visite du portail',
  card: 'primary',
  sort: 'lastVisitAt',
  cell: ({ lastVisitAt }) => (lastVisitAt ? dateTime(lastVisitAt) : 'Jamais'),
}
export const LETTER: Column<PortalPerson> = {
  header: 'Lettre',
  card: 'primary',
  cell: ({ letter }) => letterWords(letter),
}
