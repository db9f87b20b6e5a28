export { createRegulatoryExport } from './make.ts'
export { recordExportSending } from './sendings.ts'
