export { type HeadsSnapshotFile, loadHeadsSnapshots, parseHeadsSnapshot } from './audit-heads.ts'
export { AUDIT_FAULT_MESSAGES, signChainStart, verifyAudit } from './verify-audit.ts'
