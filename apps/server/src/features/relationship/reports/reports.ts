export { lastReport, reportMail } from './mail.ts'
export { makeReport } from './make.ts'
