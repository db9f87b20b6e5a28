export { searchDocuments } from './documents.ts'
