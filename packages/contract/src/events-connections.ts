import { z } from 'zod'
import { defineOpenEvent } from './event.ts'
import { Id } from './primitives.ts'

const data = z.object({ connectionId: Id, kind: z.string(), name: z.string(), reason: z.string() })
const sample = {
  connectionId: '7c1e4b92-0d5f-4a36-9b8e-2f6d3a5c8e10',
  kind: 'sftp',
  name: 'Dépôt du comptable',
  reason: 'Le serveur n’a pas répondu.',
}

/** Changes of state of the connections to other systems. */
export const connectionEvents = {
  'connection.failed': defineOpenEvent({ label: 'Connexion en échec', data, sample }),
  'connection.stopped': defineOpenEvent({ label: 'Connexion arrêtée', data, sample }),
}
