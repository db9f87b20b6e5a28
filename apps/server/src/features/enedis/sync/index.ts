export { startSyncTask } from './start-task.ts'
export { logSyncError } from './sync-errors.ts'
export { decryptFileKey } from './sync-settings.ts'
export { getPathOfHandle, type OpenFolder, openFolder, openWatchedFolder } from './watched-folder.ts'
