export type { Order } from './order.ts'
export { makeFile, orderOf, type Plan, plansOf } from './plans.ts'
export { FEED_TYPES, pieces } from './stream.ts'
export { dictionary } from './table.ts'
