export { issueReport } from './issue-report.ts'
export { buildReportMail, findLastReport } from './report-mail.ts'
