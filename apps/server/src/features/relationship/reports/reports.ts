export { buildReportMail, findLastReport } from './mail.ts'
export { issueReport } from './make.ts'
