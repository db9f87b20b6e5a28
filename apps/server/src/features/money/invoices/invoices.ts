export { type IssueOrder, issueDocuments, type SnapshotDraft } from './issue.ts'
export { SERIES_FAULTS, type SeriesVerdict, verifySeries } from './verify.ts'
