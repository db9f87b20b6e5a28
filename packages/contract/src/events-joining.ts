import { z } from 'zod'
import { defineEvent, defineOpenEvent } from './event.ts'
import { ApplicationKind } from './joining-words.ts'
import { Day, Id } from './primitives.ts'

const APPLICATION = '7c1d5e92-3b84-4f60-9a27-d8e6f1b03c45'
const OPERATION = '2e9a7f13-6c48-4d05-b1e3-4f8a9c7d6b52'
const application = z.object({ applicationId: Id, operationId: Id, kind: ApplicationKind })
const sample = { applicationId: APPLICATION, operationId: OPERATION, kind: 'join' as const }

/** Requests to join or leave, and their outcome. */
export const joiningEvents = {
  'application.received': defineOpenEvent({ label: 'Demande d’entrée ou de départ signée', data: application, sample }),
  'application.decided': defineOpenEvent({
    label: 'Demande d’entrée ou de départ décidée',
    data: application.extend({ state: z.enum(['accepted', 'refused', 'withdrawn']), effectiveOn: Day.nullable() }),
    sample: { ...sample, state: 'accepted' as const, effectiveOn: '2026-12-15' },
  }),
  'joining.changed': defineEvent({
    label: 'Page «\u00a0Rejoindre\u00a0» réglée',
    data: z.object({ operationId: Id, isOpen: z.boolean() }),
    sample: { operationId: OPERATION, isOpen: true },
  }),
}
