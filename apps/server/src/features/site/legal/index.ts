export { NOTICE_INCOMPLETE, warnIfNoticeIncomplete } from './legal.ts'
