export { keepEnergies, keepPerimeter, keepQuantities, keepSeries } from './theirs.ts'
export { latestMonths, verdictOf } from './verdict.ts'
