export { computeDurationsSeal, createRetentionPreview, getEffectiveMonths } from './retention.ts'
