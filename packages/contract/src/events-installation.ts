import { z } from 'zod'
import { openEvent } from './event.ts'
import { Id } from './primitives.ts'

const RUN = '4d2b6f80-5a1c-4e93-b7d8-0c6e2a9f3b17'
const copy = { runId: Id, copy: z.string() }
const sample = { runId: RUN, copy: 'voisol-2026-05-19-001702' }

/** What is told to the company that keeps the site, of the installation itself. */
export const installationEvents = {
  'copy.completed': openEvent({
    label: 'Installation copiée',
    data: z.object({ ...copy, rows: z.int(), bytes: z.int(), seconds: z.int() }),
    sample: { ...sample, rows: 148_213, bytes: 23_411_907, seconds: 11 },
  }),
  'copy.failed': openEvent({
    label: 'Copie de l’installation échouée',
    data: z.object({ ...copy, kind: z.enum(['copy', 'verify', 'drill']), reason: z.string() }),
    sample: { ...sample, kind: 'copy', reason: 'Le dossier des copies est plein.' },
  }),
  'copy.proved': openEvent({
    label: 'Restauration d’une copie essayée',
    data: z.object({ ...copy, rows: z.int(), seconds: z.int() }),
    sample: { ...sample, rows: 148_213, seconds: 37 },
  }),
  'alert.raised': openEvent({
    label: 'Alerte de santé levée',
    data: z.object({
      alertId: Id,
      metric: z.string(),
      level: z.enum(['warning', 'critical']),
      detail: z.string(),
      advice: z.string(),
    }),
    sample: {
      alertId: RUN,
      metric: 'disk.free',
      level: 'warning',
      detail: 'Il reste 9 % de place sur le disque.',
      advice: 'Libérez de la place, ou agrandissez le disque des données.',
    },
  }),
  'alert.ended': openEvent({
    label: 'Alerte de santé terminée',
    data: z.object({ alertId: Id, metric: z.string() }),
    sample: { alertId: RUN, metric: 'disk.free' },
  }),
}
