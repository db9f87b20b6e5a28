import { z } from 'zod'
import { defineOpenEvent } from './event.ts'
import { Id } from './primitives.ts'

const INSIGHT = '6a1d8f3b-92c4-4e70-b5d6-1f7e0c9a2b84'
const OPERATION = '5b0c1d1e-7a3f-4c59-9f0a-2d1c8e4b6a71'

const insight = z.object({
  insightId: Id,
  operationId: Id,
  rule: z.string(),
  /** Null where a price is not known. */
  cents: z.int().nullable(),
})
const sample = { insightId: INSIGHT, operationId: OPERATION, rule: 'under-performance', cents: 11_743 }

/** Findings of the nightly analysis, decisions about them, and findings that no longer apply. */
export const insightEvents = {
  'insight.found': defineOpenEvent({ label: 'Constat trouvé', data: insight, sample }),
  'insight.decided': defineOpenEvent({
    label: 'Constat retenu ou écarté',
    data: insight.extend({ state: z.enum(['accepted', 'dismissed']) }),
    sample: { ...sample, state: 'accepted' as const },
  }),
  'insight.closed': defineOpenEvent({ label: 'Constat résolu', data: insight, sample }),
}
