export { logSyncError } from './errors.ts'
export { decryptFileKey } from './settings.ts'
export { startSyncTask } from './start.ts'
export { getPathOfHandle, type OpenFolder, openFolder, openWatchedFolder } from './watched-folder.ts'
