export { type BillableRow, billableRows } from './billable.ts'
export { type QuantityNews, tellQuantities } from './tell-quantities.ts'
export { keepEnergies, keepPerimeter, keepQuantities, keepSeries } from './theirs.ts'
export { latestMonths, type MonthVerdict, monthVerdict, verdictOf } from './verdict.ts'
