import { z } from 'zod'
import { defineOpenEvent } from './event.ts'
import { Day, Id } from './primitives.ts'

const KEY = 'c3f1a7d9-5e2b-4860-97d4-8b6a0f1e2c35'
const NEXT = '8d5b2e7f-41c6-4a93-b0e8-6f9c3a1d7452'
const WEBHOOK = '2e9c6b14-7f3d-4d85-a1b0-9c8e5f7a6d32'

const key = { keyId: Id, name: z.string(), prefix: z.string() }
const keySample = { keyId: KEY, name: 'Comptabilité', prefix: 'vsl_7_Hq3xW2' }

/** Changes of API keys and webhooks, notified to those who manage access. */
export const keyEvents = {
  'apikey.created': defineOpenEvent({ label: 'Clé d’API créée', data: z.object(key), sample: keySample }),
  'apikey.rotated': defineOpenEvent({
    label: 'Clé d’API renouvelée',
    data: z.object({ ...key, newKeyId: Id, until: z.iso.datetime() }),
    sample: { ...keySample, newKeyId: NEXT, until: '2026-05-20T07:30:00.000Z' },
  }),
  'apikey.revoked': defineOpenEvent({ label: 'Clé d’API révoquée', data: z.object(key), sample: keySample }),
  'apikey.expiry-approached': defineOpenEvent({
    label: 'Fin d’une clé d’API proche',
    /** `warning` is how many days before the end this is recorded. */
    data: z.object({ ...key, on: Day, left: z.int(), warning: z.int() }),
    sample: { ...keySample, on: '2026-05-26', left: 7, warning: 7 },
  }),
  'audit.head-noted': defineOpenEvent({
    label: 'Tête du journal d’audit',
    /** Stored unchanged, it is a file that `voisol audit verify --heads` reads. */
    data: z.object({
      day: Day,
      at: z.iso.datetime(),
      heads: z.array(z.object({ companyId: z.int(), seq: z.int(), hash: z.string() })),
      signature: z.string(),
    }),
    sample: {
      day: '2026-05-19',
      at: '2026-05-19T00:41:03.117Z',
      heads: [{ companyId: 7, seq: 4213, hash: '9b1f0c6e'.repeat(8) }],
      signature: '4e2d7a90'.repeat(8),
    },
  }),
  'webhook.stopped': defineOpenEvent({
    label: 'Webhook arrêté',
    data: z.object({ webhookId: Id, host: z.string(), reason: z.enum(['gone', 'failing']) }),
    sample: { webhookId: WEBHOOK, host: 'exemple.fr', reason: 'failing' },
  }),
  'sso.domain-lapsed': defineOpenEvent({
    label: 'Preuve d’un domaine perdue',
    data: z.object({
      connectionId: Id,
      domain: z.string(),
      /** The domain record was missing for the first time, or the domain is no longer trusted. */
      state: z.enum(['missing', 'refused']),
      believedUntil: Day,
    }),
    sample: { connectionId: WEBHOOK, domain: 'exemple.fr', state: 'missing', believedUntil: '2026-11-24' },
  }),
}
