import { ROUTED_EVENTS } from '@voisol/contract/flow-rules'
import { defineSubscriber } from '../../../core/subscriber.ts'
import { applyRules, listActiveRules } from './apply.ts'

/** The rules of each company, as one subscriber among the others: in order, once, and resumed where it was cut. */
export const flowSubscriber = defineSubscriber({
  name: 'flows',
  on: ROUTED_EVENTS,
  prepare: listActiveRules,
  handle: applyRules,
})
