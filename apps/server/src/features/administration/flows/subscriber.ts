import { ROUTED_EVENTS } from '@voisol/contract/flow-rules'
import { subscriber } from '../../../core/subscriber.ts'
import { activeRules, applyRules } from './apply.ts'

/** The rules of each company, as one subscriber among the others: in order, once, and resumed where it was cut. */
export const flowSubscriber = subscriber({
  name: 'flows',
  on: ROUTED_EVENTS,
  prepare: activeRules,
  handle: applyRules,
})
