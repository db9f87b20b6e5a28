import { z } from 'zod'
import { defineEvent, defineOpenEvent } from './event.ts'
import { Id } from './primitives.ts'

const SAMPLE_ID = '7c5e3a19-8b6d-4f02-9d4c-1e3a5b7f9c86'
const idParams = z.object({ id: Id })
const path = z.object({ path: z.string() })
/** The permissions of the role (before deletion, for a deleted one), and how many people have it. */
const role = z.object({ roleId: Id, name: z.string(), permissions: z.array(z.string()), people: z.int() })
const roleSample = { roleId: SAMPLE_ID, name: 'Accueil', permissions: ['participants.read'], people: 3 }

export const siteEvents = {
  'content.published': defineEvent({
    label: 'Contenu publié',
    data: z.object({ contentIds: z.array(Id) }),
    sample: { contentIds: [SAMPLE_ID] },
  }),
  'content.unpublished': defineEvent({
    label: 'Contenu retiré du site',
    data: z.object({ contentIds: z.array(Id) }),
    sample: { contentIds: [SAMPLE_ID] },
  }),
  'notice.changed': defineEvent({
    label: 'Mentions légales changées',
    data: z.object({ missing: z.int() }),
    sample: { missing: 2 },
  }),
  'page.described': defineEvent({ label: 'Référencement d’une page changé', data: path, sample: { path: '/tarifs' } }),
  'redirect.added': defineEvent({ label: 'Redirection ajoutée', data: path, sample: { path: '/ancienne-page' } }),
  'redirect.removed': defineEvent({ label: 'Redirection retirée', data: path, sample: { path: '/ancienne-page' } }),
  'booking.placed': defineEvent({ label: 'Démonstration réservée', data: idParams, sample: { id: SAMPLE_ID } }),
  'request.received': defineEvent({ label: 'Message du site reçu', data: idParams, sample: { id: SAMPLE_ID } }),
  'invitation.accepted': defineOpenEvent({
    label: 'Invitation acceptée',
    data: z.object({ userId: Id }),
    sample: { userId: SAMPLE_ID },
  }),
  'member.changed': defineOpenEvent({
    label: 'Accès d’une personne changé',
    /** `role` is the name of a built-in role, or the id of one of the company. */
    data: z.object({ userId: Id, status: z.enum(['active', 'invited', 'disabled']), role: z.string() }),
    sample: { userId: SAMPLE_ID, status: 'disabled', role: 'manager' },
  }),
  'role.defined': defineOpenEvent({ label: 'Rôle défini', data: role, sample: roleSample }),
  'role.changed': defineOpenEvent({ label: 'Rôle changé', data: role, sample: roleSample }),
  'role.removed': defineOpenEvent({ label: 'Rôle supprimé', data: role, sample: { ...roleSample, people: 0 } }),
}
