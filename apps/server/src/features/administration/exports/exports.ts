export type { ExportOrder } from './order.ts'
export {
  type ExportPlanRow,
  getPlanPermission,
  getPlanRequester,
  listPlansOfConnection,
  makePlanFile,
} from './plans.ts'
export { FEED_TYPES, streamDataSetFile } from './stream.ts'
export { buildFeedDictionary } from './table.ts'
