export { buildFeedDictionary } from './data-set-sources.ts'
export type { ExportOrder } from './export-order.ts'
export {
  type ExportPlanRow,
  getPlanPermission,
  getPlanRequester,
  listPlansOfConnection,
  makePlanFile,
} from './export-plans.ts'
export { FEED_TYPES, streamDataSetFile } from './exports.ts'
