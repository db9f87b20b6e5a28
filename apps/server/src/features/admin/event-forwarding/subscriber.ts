import { ROUTED_EVENTS } from '@voisol/contract/flow-rules'
import { defineSubscriber } from '../../../events/subscriber.ts'
import { applyRules, listActiveRules } from './flow-deliveries.ts'

/**
 * Applies the routing rules of every company: events are processed in order and once, and processing resumes after an
 * interruption.
 */
export const flowSubscriber = defineSubscriber({
  name: 'flows',
  on: ROUTED_EVENTS,
  prepare: listActiveRules,
  handle: applyRules,
})
