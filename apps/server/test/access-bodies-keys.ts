/** Keys, gateway and webhooks: everything but the id that makes the call a valid one. */
export const KEY_BODIES = {
  'PATCH /api/webhooks/:id': { url: 'https://exemple.fr/', events: ['operation.created'] },
  'POST /api/webhooks/:id/status': { status: 'paused' },
  'POST /api/webhooks/:id/secret': { overlapHours: 24 },
  'POST /api/webhooks/:id/replay': { status: 'failed' },
  'POST /api/connections/check': { kind: 'feed', settings: { dataSets: 'operations' } },
  'POST /api/connections': { kind: 'feed', name: 'Prise', settings: { dataSets: 'operations' } },
  'PATCH /api/connections/:id': { name: 'Prise', settings: { dataSets: 'operations' }, version: 1 },
  'POST /api/connections/:id/status': { state: 'paused' },
  'POST /api/connections/:id/host-key': { fingerprint: 'SHA256:x' },
  'PUT /api/gateway/limits': { perSecond: 9, perMonth: null, version: 0 },
  'PATCH /api/api-keys/:id': { name: 'Prise', version: 1 },
  'POST /api/installation/incidents/:id/updates': { state: 'resolved', message: 'Tout est revenu.', version: 1 },
  'POST /api/api-keys/:id/rotate': { overlapHours: 24 },
}
