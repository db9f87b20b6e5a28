export { type IssueOrder, issueDocuments, type SnapshotDraft } from './issue.ts'
export { readOpen, stateOf, totalsOf } from './ledger.ts'
export { sendDocuments } from './send.ts'
export { SERIES_FAULTS, type SeriesVerdict, verifySeries } from './verify.ts'
