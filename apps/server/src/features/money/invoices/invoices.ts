export { type IssueOrder, issueDocuments, type SnapshotDraft } from './issue.ts'
