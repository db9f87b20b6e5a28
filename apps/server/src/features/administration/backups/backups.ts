export { exportCompany } from './company-export.ts'
export { CopyFault } from './fault.ts'
export { requestFirstCopy } from './first-copy.ts'
export { countCopiedRows, isCopyComplete, type Manifest } from './manifest.ts'
export {
  describeMissingFiles,
  describeMissingFilesRemedy,
  findMissingFiles,
  loadRecordedFiles,
} from './missing-files.ts'
export {
  describeCopyStore,
  getCopyContentKey,
  getCopyManifestKey,
  listCopies,
  NO_BACKUP_KEY_MESSAGE,
  openCopyStore,
  requireBackupKey,
} from './place.ts'
export { verifyCopy } from './read-copy.ts'
export { restoreCopy } from './restore.ts'
export { findLastCopyRunSuccess, trackTerminalCopy } from './runs.ts'
export { computeSecretFingerprint } from './sealing.ts'
export { requireCopySource } from './source.ts'
export { makeCopy } from './write-copy.ts'
