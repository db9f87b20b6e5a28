export { logError } from './errors.ts'
export { openFileKey } from './settings.ts'
export { startTask } from './start.ts'
