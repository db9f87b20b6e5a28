export { makeReport } from './make.ts'
