export { keepEnergies, keepPerimeter, keepQuantities, keepSeries } from './theirs.ts'
export { latestMonths, type MonthVerdict, verdictOf } from './verdict.ts'
