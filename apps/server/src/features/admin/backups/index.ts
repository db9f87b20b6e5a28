export { exportCompany } from './company-export.ts'
export { CopyFault, computeSecretFingerprint, countCopiedRows, isCopyComplete, type Manifest } from './copy-format.ts'
export { findLastCopyRunSuccess, requestFirstCopy, trackTerminalCopy } from './copy-runs.ts'
export {
  describeCopyStore,
  getCopyContentKey,
  getCopyManifestKey,
  listCopies,
  NO_BACKUP_KEY_MESSAGE,
  openCopyStore,
  requireBackupKey,
} from './copy-store.ts'
export {
  describeMissingFiles,
  describeMissingFilesRemedy,
  findMissingFiles,
  loadRecordedFiles,
} from './missing-files.ts'
export { requireCopySource, restoreCopy, verifyCopy } from './restore-copy.ts'
export { makeCopy } from './write-copy.ts'
