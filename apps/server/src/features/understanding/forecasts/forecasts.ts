export { issueFor } from './issue.ts'
export { issuedDays } from './issued.ts'
export { scoreDays } from './score.ts'
