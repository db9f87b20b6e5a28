import { z } from 'zod'
import { event, openEvent } from './event.ts'
import { Id } from './primitives.ts'

const ONE = '7c5e3a19-8b6d-4f02-9d4c-1e3a5b7f9c86'
const one = z.object({ id: Id })
const path = z.object({ path: z.string() })
/** What it opens now, or opened until it was removed, and to how many people. */
const role = z.object({ roleId: Id, name: z.string(), permissions: z.array(z.string()), people: z.int() })
const roleSample = { roleId: ONE, name: 'Accueil', permissions: ['participants.read'], people: 3 }

export const siteEvents = {
  'content.published': event({
    label: 'Contenu publié',
    data: z.object({ contentIds: z.array(Id) }),
    sample: { contentIds: [ONE] },
  }),
  'content.unpublished': event({
    label: 'Contenu retiré du site',
    data: z.object({ contentIds: z.array(Id) }),
    sample: { contentIds: [ONE] },
  }),
  'notice.changed': event({
    label: 'Mentions légales changées',
    data: z.object({ missing: z.int() }),
    sample: { missing: 2 },
  }),
  'page.described': event({ label: 'Référencement d’une page changé', data: path, sample: { path: '/tarifs' } }),
  'redirect.added': event({ label: 'Redirection ajoutée', data: path, sample: { path: '/ancienne-page' } }),
  'redirect.removed': event({ label: 'Redirection retirée', data: path, sample: { path: '/ancienne-page' } }),
  'booking.placed': event({ label: 'Démonstration réservée', data: one, sample: { id: ONE } }),
  'request.received': event({ label: 'Message du site reçu', data: one, sample: { id: ONE } }),
  'invitation.accepted': openEvent({
    label: 'Invitation acceptée',
    data: z.object({ userId: Id }),
    sample: { userId: ONE },
  }),
  'member.changed': openEvent({
    label: 'Accès d’une personne changé',
    /** `role` is the name of a built-in one, or the id of one of the company's own. */
    data: z.object({ userId: Id, status: z.enum(['active', 'invited', 'disabled']), role: z.string() }),
    sample: { userId: ONE, status: 'disabled', role: 'manager' },
  }),
  'role.defined': openEvent({ label: 'Rôle défini', data: role, sample: roleSample }),
  'role.changed': openEvent({ label: 'Rôle changé', data: role, sample: roleSample }),
  'role.removed': openEvent({ label: 'Rôle supprimé', data: role, sample: { ...roleSample, people: 0 } }),
}
