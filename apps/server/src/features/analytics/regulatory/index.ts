export { createRegulatoryExport } from './create-export.ts'
export { recordExportSending } from './stored-exports.ts'
