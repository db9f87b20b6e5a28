export { type BillableRow, loadBillableRows } from './billable.ts'
export { type NewQuantities, recordNewQuantities } from './tell-quantities.ts'
export { storeDailyEnergies, storeDefinitiveQuantities, storeDistributorSeries, storePerimeter } from './theirs.ts'
export { loadLatestVerdicts, loadMonthVerdict, loadRecentVerdicts, type MonthVerdict } from './verdict.ts'
