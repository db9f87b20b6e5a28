import { z } from 'zod'
import { ADD_ON_NAMES, PLAN_NAMES } from './plan-prices.ts'
import { Day, Id } from './primitives.ts'

export const PlanName = z.enum(PLAN_NAMES)
export const PlanPeriod = z.enum(['month', 'year'])
export const AddOnName = z.enum(ADD_ON_NAMES)
export const PlanChange = z.object({
  id: Id,
  on: Day,
  kind: z.enum([
    'chosen',
    'raised',
    'planned',
    'applied',
    'kept',
    'renewed',
    'left',
    'resumed',
    'ended',
    'refunded',
    'granted',
  ]),
  plan: PlanName,
  period: PlanPeriod,
  by: z.string(),
})
export type PlanChange = z.infer<typeof PlanChange>
