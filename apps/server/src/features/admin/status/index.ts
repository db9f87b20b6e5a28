export { createStatusLoader } from './status.ts'
export { measureStatus } from './status-samples.ts'
