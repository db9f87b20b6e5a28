export { type BillableRow, loadBillableRows } from './month-sources.ts'
export { loadLatestVerdicts, loadMonthVerdict, loadRecentVerdicts, type MonthVerdict } from './month-verdict.ts'
export {
  type NewQuantities,
  recordNewQuantities,
  storeDailyEnergies,
  storeDefinitiveQuantities,
  storeDistributorSeries,
  storePerimeter,
} from './store-distributor-data.ts'
