/** Keys, gateway and webhooks: everything but the id that makes the call a valid one. */
export const KEY_BODIES = {
  'PATCH /api/webhooks/:id': { url: 'https://exemple.fr/', events: ['operation.created'] },
  'POST /api/webhooks/:id/status': { status: 'paused' },
  'POST /api/webhooks/:id/secret': { overlapHours: 24 },
  'POST /api/webhooks/:id/replay': { status: 'failed' },
  'PATCH /api/flows/rules/:id': {
    name: 'Prise',
    event: 'operation.created',
    conditions: [],
    fields: [],
    destination: { kind: 'mail', id: '5b0c1d1e-7a3f-4c59-9f0a-2d1c8e4b6a71' },
    active: true,
    version: 1,
  },
  'PUT /api/gateway/limits': { perSecond: 9, perMonth: null, version: 0 },
  'PATCH /api/api-keys/:id': { name: 'Prise', version: 1 },
  'POST /api/api-keys/:id/rotate': { overlapHours: 24 },
}
