import { z } from 'zod'
import { defineEvent } from './event.ts'

/** Changes of the appearance of a company. */
export const brandEvents = {
  'brand.changed': defineEvent({
    label: 'Marque blanche modifiée',
    /** Only the names of the changed fields, not their values: a name or an address may be personal data. */
    data: z.object({ fields: z.array(z.string().max(60)), version: z.int() }),
    sample: { fields: ['primaryColor', 'customLogo'], version: 3 },
  }),
  'brand.domain-proved': defineEvent({
    label: 'Domaine de la marque prouvé',
    data: z.object({ host: z.string().max(253) }),
    sample: { host: 'energie.exemple.fr' },
  }),
  'brand.domain-lapsed': defineEvent({
    label: 'Preuve du domaine de la marque disparue',
    data: z.object({ host: z.string().max(253), state: z.enum(['missing', 'refused']) }),
    sample: { host: 'energie.exemple.fr', state: 'missing' as const },
  }),
}
