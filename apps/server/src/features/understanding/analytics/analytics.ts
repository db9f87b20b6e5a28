export { loadAnalyticsComparison } from './compare.ts'
