export { loadAnalyticsComparison } from './energy-comparison.ts'
