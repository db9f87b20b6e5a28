export type { Order } from './order.ts'
export { FEED_TYPES, pieces } from './stream.ts'
export { dictionary } from './table.ts'
