export { normalizeMarks, RAW_MARK } from './curve-day.ts'
export { forEachCurveDay } from './curve-day-reader.ts'
export { searchCurveImports } from './import-queries.ts'
export { startImportAwaitingAnswers } from './import-steps.ts'
export { buildImportTrial } from './preview-import.ts'
export { type AlignedCurve, loadAlignedCurves, loadCurveHash } from './read-curves.ts'
export {
  addReceivedSummary,
  createReceivedSummary,
  enqueueRefreshOfMonths,
  type PointMonth,
  type ReceivedSummary,
  recomputeCurveMonths,
  recordCurvesReceived,
} from './record-received-curves.ts'
export { storeReadings, storeReadingsAndNotify } from './store-readings.ts'
