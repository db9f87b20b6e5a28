export { logError } from './errors.ts'
export { openFileKey } from './settings.ts'
export { startTask } from './start.ts'
export { type OpenFolder, openFolder, openWatched, throughHandle } from './watched-folder.ts'
