export { dueAccounts } from './due.ts'
export { sendReminder } from './send.ts'
export { remindersToSend } from './view.ts'
