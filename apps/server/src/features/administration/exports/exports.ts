export type { Order } from './order.ts'
export { askerOf, makeFile, type Plan, permissionOf, plansOf } from './plans.ts'
export { FEED_TYPES, pieces } from './stream.ts'
export { dictionary } from './table.ts'
