export { makeExport } from './make.ts'
export { recordSending } from './sendings.ts'
